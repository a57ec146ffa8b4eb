import pg from 'pg'
import { cpuMicros } from './cpuMicros.ts'
import type { Maximum } from './load.ts'

/** One measurement: 16 connections, each of which runs the next statement after the answer. */
export type StatementLoad = {
  databaseUrl: string
  /** Prepared once in each connection. A list of ids is its only parameter. */
  statement: string
  asked: string[]
  seconds: number
}

const CONNECTIONS = 16

/**
 * Runs statements by bare clients of Postgres, as its own process: receives `StatementLoad`s, sends a `Maximum` for
 * each. npm's Postgres has no pgbench.
 */
process.on('message', async (load: StatementLoad) => process.send?.(await run(load)))

async function run({ databaseUrl, statement, asked, seconds }: StatementLoad): Promise<Maximum> {
  const clients = Array.from(
    { length: CONNECTIONS },
    () =>
      new pg.Client({
        connectionString: databaseUrl,
        // The settings of the service's own connections.
        options: '-c plan_cache_mode=force_generic_plan -c jit=off',
      }),
  )
  await Promise.all(clients.map((client) => client.connect()))
  let begun = 0
  const runOne = async (client: pg.Client) => {
    await client.query({
      name: 'orders by id',
      text: statement,
      values: [[asked[begun++ % asked.length]]],
    })
  }
  await Promise.all(clients.map(runOne))
  const cpuBefore = cpuMicros(process.ppid)
  const begin = performance.now()
  const end = begin + seconds * 1_000
  const before = begun
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) await runOne(client)
    }),
  )
  const count = begun - before
  const perSecond = (count * 1_000) / (performance.now() - begin)
  const cost = (cpuMicros(process.ppid) - cpuBefore) / count
  await Promise.all(clients.map((client) => client.end()))
  return { perSecond, cpuMicros: cost }
}
