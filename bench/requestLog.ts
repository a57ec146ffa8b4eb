import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { createKey } from '../domain/access/keys.ts'
import { createOrganization, setOrganization } from '../domain/access/organizations.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { percentile } from '../test/support/percentile.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { measureMaximum } from './measure.ts'

/**
 * Measures how much throughput the request log and the sums of usage cost: reads of one order with keys, by a real
 * process with them and one without, in turns: `node bench/requestLog.ts [pairs]`. Ends with 1 if the median of the
 * pairs loses more than 2 %.
 */
const PAIRS = Number(process.argv[2] ?? 15)
const MOST_LOST = 0.02
const SLICES = 4
const SLICE_SECONDS = 2
const KEYS = 20
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
try {
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const apis = await startApiReplicas(postgres.url, [{ REQUEST_LOG: 'off' }, { REQUEST_LOG: 'on' }])
  const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
  try {
    const apiKeys = await createKeys()
    const ports = apis.replicas.map(({ port }) => port)
    const results: { off: number; on: number; lost: number }[] = []
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const { off, on } = await measurePair(ports, apiKeys)
      results.push({ off, on, lost: 1 - on / off })
      print(`off ${off.toFixed(0)}/s  on ${on.toFixed(0)}/s  lost ${percent(1 - on / off)}`)
    }
    await untilWritten()
    const [row] = await sql`
      select (select count(*) from app.request_log) as logged,
        (select sum(requests) from app.api_usage) as counted`
    print(`${row?.logged} rows of the log, ${row?.counted} requests in sums`)
    const lost = median(results.map((result) => result.lost))
    print(
      `medians of ${PAIRS} pairs: off ${median(results.map(({ off }) => off)).toFixed(0)}/s, on ${median(results.map(({ on }) => on)).toFixed(0)}/s, ${percent(lost)} lost, bound ${percent(MOST_LOST)}`,
    )
    if (lost > MOST_LOST) process.exitCode = 1
  } finally {
    await sql.end()
    await apis.stop()
  }

  async function createKeys(): Promise<string[]> {
    const appSecret = Buffer.from(apis.appSecret, 'hex')
    const administrator = { sql, appSecret, actor: 'bench', bounds: null }
    const { id: organizationId } = await createOrganization(administrator, 'Bench')
    await setOrganization(administrator, organizationId, { rateLimitTier: 'unlimited' })
    const keys: string[] = []
    for (let index = 0; index < KEYS; index += 1)
      keys.push((await createKey(administrator, { organizationId })).key)
    return keys
  }

  /** In slices and in both orders, so that other load on the machine affects both alike. */
  async function measurePair([without = 0, recording = 0]: number[], apiKeys: string[]) {
    const measureOf = (port: number) =>
      measureMaximum({ name: '', port, paths: [apis.orderPath], apiKeys }, SLICE_SECONDS)
    let [off, on] = [0, 0]
    for (let slice = 0; slice < SLICES; slice += 1) {
      const isOnFirst = slice % 2 === 1
      if (isOnFirst) on += await measureOf(recording)
      off += await measureOf(without)
      if (!isOnFirst) on += await measureOf(recording)
    }
    return { off: off / SLICES, on: on / SLICES }
  }
} finally {
  await postgres.stop()
}

/** The last batch is written a second after its requests. */
function untilWritten(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2_000))
}

function median(values: number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
