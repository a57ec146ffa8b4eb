import { readFileSync } from 'node:fs'
import type { TransactionSql } from 'postgres'
import { accountBalancesFunction } from './accountBalancesFunction.ts'
import { activityFunctions } from './activityFunctions.ts'
import { chainFinalityView } from './chainFinalityView.ts'
import { chainProgressView, chainView, type ReadChain } from './chainViews.ts'
import { factBranches, factUnionViews } from './factUnionViews.ts'
import { notIndexedFunction } from './notIndexedFunction.ts'
import { recentSettlementsFunction } from './recentSettlementsFunction.ts'
import { routeSubmissionsFunction } from './routeSubmissionsFunction.ts'
import type { ServedBuild } from './servedBuild.ts'
import { submissionListFunctions } from './submissionListFunctions.ts'
import { transitOrderSelect } from './transitOrderSelect.ts'
import { vaultAtFunction } from './vaultAtFunction.ts'
import { withdrawalListFunctions } from './withdrawalListFunctions.ts'
import { waitingWithdrawalView, withdrawalStatusFunction } from './withdrawalStatus.ts'

/** The views that join facts; later ones use earlier ones. */
const joinedViews = [
  sqlOf('transitOrderStatus.sql'),
  `create view read.transit_order as ${transitOrderSelect()}`,
  sqlOf('transitOrderOutline.sql'),
]

function sqlOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

/**
 * Replaces every view in the Postgres schema `read`: for each fact table the union over the served
 * builds, then the views that join them. Runs inside the caller's transaction, after `lockReadViews`,
 * so that readers see the old views or the new ones. `builds` must not be empty.
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
    chainProgressView(builds, facts),
    chainFinalityView(builds, chains),
    notIndexedFunction,
    ...factUnionViews(facts),
    ...submissionListFunctions(builds),
    routeSubmissionsFunction(builds),
    ...vaultAtFunction(facts),
    ...accountBalancesFunction(facts),
    ...joinedViews,
    withdrawalStatusFunction,
    waitingWithdrawalView,
    ...withdrawalListFunctions(facts),
    ...recentSettlementsFunction(facts),
    ...activityFunctions(facts),
  ]
  for (const definition of definitions) await sql.unsafe(definition)
}

/**
 * Makes readers wait until the caller's transaction ends. Ponder waits too: a lock of a view also locks
 * its tables. Readers name `read.chain_progress` before any other view, and so does this, so the second
 * to come waits for the first. Throws after half a second: after a whole one Postgres looks for
 * deadlocks, and could end a reader.
 */
export async function lockReadViews(sql: TransactionSql) {
  const names = (await readViewNames(sql)).map((name) => `read.${name}`)
  await sql`set local statement_timeout = '500ms'`
  await sql.unsafe(`lock table ${names.join(', ')} in access exclusive mode`)
  await sql`set local statement_timeout = 0`
}

async function dropViews(sql: TransactionSql) {
  for (const name of await readViewNames(sql))
    await sql.unsafe(`drop view if exists read.${name} cascade`)
}

async function readViewNames(sql: TransactionSql): Promise<string[]> {
  const views = await sql<{ name: string }[]>`
    select table_name as name from information_schema.views where table_schema = 'read'
    order by table_name <> 'chain_progress', table_name <> 'transit_order', table_name`
  return views.map(({ name }) => name)
}
