import type { FactBranches } from './factUnionViews.ts'

/**
 * `read.vault_at(chain, vault, time)`: a vault's state at a full hour, which is the last row of
 * `vault_hour` up to it; no row before the vault's first hour. A function for the same reason as
 * `read.submissions_of_…`: above the union, Postgres reads every hour of the vault to find the last.
 * Not created while no build has the table.
 */
export function vaultAtFunction(facts: FactBranches): string[] {
  const branches = facts.get('vault_hour')?.map(
    ({ select }) => `(
      ${select} and chain_id = $1 and vault = $2 and hour <= $3 order by hour desc limit 1)`,
  )
  if (!branches) return []
  return [
    `create function read.vault_at(integer, text, bigint) returns setof read.vault_hour
    language sql stable as $$${branches.join(' union all ')}$$`,
  ]
}
