import { readFileSync } from 'node:fs'
import type { TransactionSql } from 'postgres'
import { chainFinalityView } from './chainFinalityView.ts'
import { chainProgressView, chainView, type ReadChain } from './chainViews.ts'
import { factBranches, factUnionViews } from './factUnionViews.ts'
import { notIndexedFunction } from './notIndexedFunction.ts'
import { userSubmissionsFunction } from './userSubmissionsFunction.ts'
import { vaultAtFunction } from './vaultAtFunction.ts'
import { withdrawalListFunctions } from './withdrawalLists.ts'
import { waitingWithdrawalView, withdrawalStatusFunction } from './withdrawalStatus.ts'

/** One index build that serves: the Postgres schema in which Ponder keeps this chain. */
export type ServedBuild = { postgresSchema: string; chainId: number }

/** What joins facts, in the order of its dependence. */
const joinedViews = ['transitOrderStatus.sql', 'transitOrder.sql', 'transitOrderOutline.sql'].map(
  (file) => readFileSync(new URL(file, import.meta.url), 'utf8'),
)

/**
 * Replaces every view in the Postgres schema `read`: for each fact table the union over the served
 * builds, then what is joined from them. Runs inside the caller's transaction, after
 * `lockReadViews`, so that readers see the old views or the new ones. `builds` must not be empty.
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
    chainFinalityView(builds, chains),
    notIndexedFunction,
    ...factUnionViews(facts),
    userSubmissionsFunction(builds),
    ...vaultAtFunction(facts),
    ...joinedViews,
    withdrawalStatusFunction,
    waitingWithdrawalView,
    ...withdrawalListFunctions(facts),
  ]
  for (const definition of definitions) await sql.unsafe(definition)
}

/**
 * Makes readers wait until the caller's transaction ends, and Ponder with what they read, since a lock
 * of a view is one of its tables too. Readers name `read.chain_progress` before any other view, and so
 * does this: whoever comes second waits. Throws when it takes half a second, before Postgres looks for
 * deadlocks (1 s), whose victim could be a reader.
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
