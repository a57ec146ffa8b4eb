import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { percentile } from '../test/support/percentile.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { gets, measureMaximum } from './measure.ts'

/**
 * Measures how much throughput the rate limits cost: reads of one order from one address, by a real
 * process with limits and one without, in turns: `node bench/limits.ts [pairs]`.
 */
const PAIRS = Number(process.argv[2] ?? 10)
const MOST_LOST = 0.1
const SLICES = 4
const SLICE_SECONDS = 1.5
/** A quota that is leased as usual, and not used up within an hour. */
const ALREADY_TAKEN = -1_000_000_000
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startBenchPostgres()
try {
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const apis = await startApiReplicas(postgres.url, [{ RATE_LIMITS: 'off' }, { RATE_LIMITS: 'on' }])
  const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
  try {
    await sql`
      insert into app.rate_limit values
        ('reads:address:127.0.0.1', ${ALREADY_TAKEN}, ${Date.now() + 3_600_000})`
    const ports = apis.replicas.map(({ port }) => port)
    const lost: number[] = []
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const { off, on } = await measurePair(ports, apis.orderPath)
      lost.push(1 - on / off)
      print(`off ${off.toFixed(0)}/s  on ${on.toFixed(0)}/s  lost ${percent(1 - on / off)}`)
    }
    const [row] = await sql`select points from app.rate_limit`
    const median = percentile(
      lost.sort((a, b) => a - b),
      0.5,
    )
    print(`${Number(row?.points) - ALREADY_TAKEN} points were leased`)
    print(`median of ${PAIRS} pairs: ${percent(median)} lost, bound ${percent(MOST_LOST)}`)
    if (median > MOST_LOST) process.exitCode = 1
  } finally {
    await sql.end()
    await apis.stop()
  }
} finally {
  await postgres.stop()
}

/** In slices and in both orders, so that other load on the machine affects both alike. */
async function measurePair([without = 0, limited = 0]: number[], path: string) {
  const measureOf = (port: number) =>
    measureMaximum({ name: '', port, requests: gets([path]) }, SLICE_SECONDS)
  let [off, on] = [0, 0]
  for (let slice = 0; slice < SLICES; slice += 1) {
    const isOnFirst = slice % 2 === 1
    if (isOnFirst) on += await measureOf(limited)
    off += await measureOf(without)
    if (!isOnFirst) on += await measureOf(limited)
  }
  return { off: off / SLICES, on: on / SLICES }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
