import type { TransactionSql } from 'postgres'
import { accountBalancesFunction } from './accountBalancesFunction.ts'
import { activityFunctions } from './activityFunctions.ts'
import { chainProgressView, chainView, type ReadChain } from './chainViews.ts'
import { factBranches, factUnionViews } from './factUnionViews.ts'
import { notIndexedFunction } from './notIndexedFunction.ts'
import { recentSettlementsFunction } from './recentSettlementsFunction.ts'
import { routeSubmissionsFunction } from './routeSubmissionsFunction.ts'
import type { ServedBuild } from './servedBuild.ts'
import { vaultAtFunction } from './vaultAtFunction.ts'
import { withdrawalListFunctions } from './withdrawalListFunctions.ts'
import { waitingWithdrawalView, withdrawalStatusFunction } from './withdrawalStatus.ts'

/**
 * Replaces every view in the Postgres schema `read`: for each fact table the union over the served
 * builds, then the functions over them. Runs inside the caller's transaction, so that readers see the old views or the new
 * ones. They name `read.chain_progress` first, and so does this, so the second to come waits for the first. `builds` must
 * not be empty.
 */
export async function replaceReadViews(
  sql: TransactionSql,
  builds: ServedBuild[],
  chains: ReadChain[],
) {
  await sql`create schema if not exists read`
  await dropViews(sql)
  const facts = await factBranches(sql, builds)
  const definitions = [
    chainView(chains),
    chainProgressView(builds),
    notIndexedFunction,
    ...factUnionViews(facts),
    routeSubmissionsFunction(builds),
    ...vaultAtFunction(facts),
    ...accountBalancesFunction(facts),
    withdrawalStatusFunction,
    waitingWithdrawalView,
    ...withdrawalListFunctions(facts),
    ...recentSettlementsFunction(facts),
    ...activityFunctions(facts),
  ]
  for (const definition of definitions) await sql.unsafe(definition)
}

async function dropViews(sql: TransactionSql) {
  for (const name of await readViewNames(sql))
    await sql.unsafe(`drop view if exists read.${name} cascade`)
}

async function readViewNames(sql: TransactionSql): Promise<string[]> {
  const views = await sql<{ name: string }[]>`
    select table_name as name from information_schema.views where table_schema = 'read'
    order by table_name <> 'chain_progress', table_name`
  return views.map(({ name }) => name)
}
