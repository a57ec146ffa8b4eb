import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { createKey } from '../domain/access/keys.ts'
import { createOrganization, setOrganization } from '../domain/access/organizations.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { freePorts } from '../test/support/freePorts.ts'
import {
  compared,
  inPercent,
  measurePair,
  medianOf,
  type PairedApi,
  shownPair,
} from './apiPairs.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures what the request log and the sums of usage cost: reads of one order with keys, by a real process with them and
 * one without, in turns: `node bench/requestLog.ts [pairs]`. Shows the throughput, and the CPU time of a request in the
 * api, on which other load of the machine has little influence. Ends with 1 if the median of the pairs loses more than
 * 2 % of the throughput.
 */
const PAIRS = Number(process.argv[2] ?? 15)
const MOST_LOST = 0.02
const KEYS = 20
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startBenchPostgres()
try {
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const metrics = await freePorts(2)
  const apis = await startApiReplicas(
    postgres.url,
    ['off', 'on'].map((REQUEST_LOG, index) => ({
      REQUEST_LOG,
      METRICS_PORT: String(metrics[index]),
    })),
  )
  const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
  try {
    const apiKeys = await createKeys()
    const [without, recording] = apis.replicas.map(({ port }, index): PairedApi => {
      return { port, metricsPort: metrics[index] ?? 0, rates: [], cpu: [] }
    })
    if (!without || !recording) throw new Error('Invariant(requestLog): two apis were started')
    for (let pair = 0; pair < PAIRS; pair += 1) {
      await measurePair([without, recording], { path: apis.orderPath, apiKeys })
      print(`off ${shownPair(without)}  on ${shownPair(recording)}`)
    }
    await untilWritten()
    const [row] = await sql`
      select (select count(*) from app.request_log) as logged,
        (select sum(requests) from app.api_usage) as counted`
    print(`${row?.logged} rows of the log, ${row?.counted} requests in sums`)
    const { lost, more } = compared(without, recording)
    print(
      `medians of ${PAIRS} pairs: off ${medianOf(without.rates).toFixed(0)}/s, on ${medianOf(recording.rates).toFixed(0)}/s, ${inPercent(lost)} lost, bound ${inPercent(MOST_LOST)}`,
    )
    print(
      `CPU time of a request: off ${medianOf(without.cpu).toFixed(0)} µs, on ${medianOf(recording.cpu).toFixed(0)} µs, ${inPercent(more)} more`,
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
} finally {
  await postgres.stop()
}

/** The last batch is written a second after its requests. */
function untilWritten(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2_000))
}
