import type { FactBranches } from './factUnionViews.ts'

/**
 * `read.balances_of_account(account, chains, vaults)`: what an account has of these vaults on these chains, by the primary
 * key. A function for the same reason as `read.submissions_of_user`: joined with a list of vaults, every chain's
 * table would be searched for each vault. Not created while no build has the table.
 */
export function accountBalancesFunction(facts: FactBranches): string[] {
  const branches = facts.get('share_balance')?.map(
    ({ chainId, select }) => `(
      ${select} and ${chainId} = any($2) and vault = any($3) and account = $1)`,
  )
  if (!branches) return []
  return [
    `create function read.balances_of_account(text, integer[], text[])
    returns setof read.share_balance language sql stable as $$${branches.join(' union all ')}$$`,
  ]
}
