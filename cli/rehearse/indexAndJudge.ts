import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { connect } from '../../db/sql.ts'
import { type Line, lines } from '../doctor/line.ts'
import { reasonOf } from '../doctor/reasonOf.ts'
import { judgeSample } from './judgeSample.ts'
import { measureUse, readCalls } from './measureUse.ts'
import type { RehearsalOptions, StageResult } from './rehearsal.ts'
import { type RunningIndexer, runIndexer } from './runIndexer.ts'
import { openScratchDatabase } from './scratchDatabase.ts'
import { tryApi } from './tryApi.ts'

const POLL_MS = 500
const MINUTE_MS = 60_000
const { ok, error } = lines('index')

/** Indexes with the first provider of each chain, watches it follow, judges a sample by the others, and asks an api for calls. */
export async function indexAndJudge(options: RehearsalOptions): Promise<StageResult> {
  await using started = new AsyncDisposableStack()
  const database = await openScratchDatabase(options.databaseUrl)
  started.defer(database.stop)
  const indexer = await runIndexer(options, database.url)
  if (indexer === null) return { lines: [] }
  started.defer(indexer.stop)
  const sql = connect(database.url, { applicationName: 'causeway-rehearse', max: 2 })
  started.defer(() => sql.end({ timeout: 2 }))

  const start = performance.now()
  const lacking = await untilServed(sql, indexer, options.indexMinutes * MINUTE_MS)
  if (lacking.length > 0) return { lines: await whyNotServed(sql, indexer, options, lacking) }
  const seconds = Math.round((performance.now() - start) / 1_000)
  const before = await readCalls(indexer.metricsUrl)
  const calls = before.reduce((sum, { count }) => sum + count, 0)
  const use = await measureUse(indexer.metricsUrl, before, options.followSeconds)
  return {
    lines: [
      ...ok(`chains ${indexer.chainIds.join(', ')} in ${seconds} s, with ${calls} calls`),
      ...(await judgeSample(options, sql)),
      ...(await tryApi(options, { databaseUrl: database.url, bookPath: indexer.bookPath, sql })),
    ],
    use,
  }
}

async function whyNotServed(
  sql: Sql<{ bigint: bigint }>,
  indexer: RunningIndexer,
  { indexMinutes }: RehearsalOptions,
  lacking: number[],
): Promise<Line[]> {
  const failed = await sql<{ chain: number; error: string }[]>`
    select chain_id as chain, error from app.index_build where error is not null`.catch(ifMissing)
  if (failed.length > 0)
    return failed.flatMap(({ chain, error: reason }) =>
      error(
        `the index of chain ${chain} does not build: ${reasonOf(new Error(reason))}`,
        'Mend what the other lines name first. If they name nothing, report it with the output of the indexer.',
      ),
    )
  if (indexer.hasEnded())
    return error(
      `the indexer ended: ${indexer.output().trim().split('\n').slice(-3).join(' ')}`,
      'Mend what it names.',
    )
  return error(
    `chains ${lacking.join(', ')} are not indexed after ${indexMinutes} minutes`,
    'Rehearse fewer blocks (--blocks), give it longer (--index-minutes), or take a faster node.',
  )
}

const MISSING = ['42P01', '3F000']

/** The indexer makes the tables first. */
function ifMissing(error: unknown): [] {
  if (MISSING.includes(String((error as { code?: string }).code))) return []
  throw error
}

/** The chains that are still not served. */
async function untilServed(
  sql: Sql<{ bigint: bigint }>,
  { chainIds, metricsUrl, hasEnded }: RunningIndexer,
  mostMs: number,
): Promise<number[]> {
  const until = performance.now() + mostMs
  for (;;) {
    const rows = await sql<{ chain: number }[]>`
      select chain_id as chain from read.chain_progress where is_ready`.catch(ifMissing)
    const lacking = chainIds.filter((id) => !rows.some(({ chain }) => chain === id))
    // An index of an earlier run is served before its indexer listens.
    const isUp = lacking.length === 0 && (await fetch(metricsUrl).catch(() => null))?.ok
    if (isUp || hasEnded() || performance.now() > until) return lacking
    await sleep(POLL_MS)
  }
}
