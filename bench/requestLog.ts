import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { createKey } from '../domain/access/keys.ts'
import { createOrganization, setOrganization } from '../domain/access/organizations.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { percentile } from '../test/support/percentile.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { gets, measureMaximum } from './measure.ts'

/**
 * Measures what the request log and the sums of usage cost: reads of one order with keys, by a real process with them and
 * one without, in turns: `node bench/requestLog.ts [pairs]`. Shows the throughput, and the CPU time of a request in the
 * api, on which other load of the machine has little influence. Ends with 1 if the median of the pairs loses more than
 * 2 % of the throughput.
 */
const PAIRS = Number(process.argv[2] ?? 15)
const MOST_LOST = 0.02
const SLICES = 4
const SLICE_SECONDS = 2
const KEYS = 20
const print = (line: string) => process.stdout.write(`${line}\n`)

/** An api, with its requests per second and the microseconds of a request in each pair. */
type Target = { port: number; metricsPort: number; rates: number[]; cpu: number[] }

const postgres = await startTemporaryPostgres()
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
    const [without, recording] = apis.replicas.map(({ port }, index): Target => {
      return { port, metricsPort: metrics[index] ?? 0, rates: [], cpu: [] }
    })
    if (!without || !recording) throw new Error('Invariant(requestLog): two apis were started')
    for (let pair = 0; pair < PAIRS; pair += 1) {
      await measurePair([without, recording], apiKeys)
      print(`off ${shown(without)}  on ${shown(recording)}`)
    }
    await untilWritten()
    const [row] = await sql`
      select (select count(*) from app.request_log) as logged,
        (select sum(requests) from app.api_usage) as counted`
    print(`${row?.logged} rows of the log, ${row?.counted} requests in sums`)
    const lost = median(without.rates.map((off, pair) => 1 - (recording.rates[pair] ?? 0) / off))
    const more = median(without.cpu.map((off, pair) => (recording.cpu[pair] ?? 0) / off - 1))
    print(
      `medians of ${PAIRS} pairs: off ${median(without.rates).toFixed(0)}/s, on ${median(recording.rates).toFixed(0)}/s, ${percent(lost)} lost, bound ${percent(MOST_LOST)}`,
    )
    print(
      `CPU time of a request: off ${median(without.cpu).toFixed(0)} µs, on ${median(recording.cpu).toFixed(0)} µs, ${percent(more)} more`,
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
  async function measurePair(targets: [without: Target, recording: Target], apiKeys: string[]) {
    const sums = targets.map((target) => ({ target, rate: 0, cpu: 0 }))
    for (let slice = 0; slice < SLICES; slice += 1)
      for (const sum of slice % 2 === 1 ? sums.toReversed() : sums) {
        const { port, metricsPort } = sum.target
        const before = await cpuSeconds(metricsPort)
        const asked = { name: '', port, requests: gets([apis.orderPath]), apiKeys }
        const rate = await measureMaximum(asked, SLICE_SECONDS)
        // The load before the measurement takes a third of its time.
        const requests = (rate * SLICE_SECONDS * 4) / 3
        sum.cpu += ((await cpuSeconds(metricsPort)) - before) / requests
        sum.rate += rate
      }
    for (const { target, rate, cpu } of sums) {
      target.rates.push(rate / SLICES)
      target.cpu.push((cpu / SLICES) * 1_000_000)
    }
  }
} finally {
  await postgres.stop()
}

/** CPU time that the process has used. */
async function cpuSeconds(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

function shown({ rates, cpu }: Target): string {
  return `${rates.at(-1)?.toFixed(0)}/s ${cpu.at(-1)?.toFixed(0)} µs`
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
