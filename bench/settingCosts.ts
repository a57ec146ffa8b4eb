import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { giveKeyOf, keyOf } from '../test/support/ask.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { median } from './figure.ts'
import { gets, measureAtRate } from './measure.ts'

/**
 * Measures what a setting costs: a real process without it and one with it get the same reads of one order at the same time:
 * `node bench/settingCosts.ts limits|requestLog|traces [windows]`. Shows the CPU time of a request, which is what limits the
 * throughput of an api. Ends with 1 if the median of the windows is above the setting's bound. Takes some two minutes.
 */
const SETTINGS: Record<string, { off: Variables; on: Variables; mostMore: number }> = {
  limits: { off: { RATE_LIMITS: 'off' }, on: { RATE_LIMITS: 'on' }, mostMore: 0.1 },
  requestLog: { off: { REQUEST_LOG: 'off' }, on: { REQUEST_LOG: 'on' }, mostMore: 0.02 },
  // One of a hundred traces is kept.
  traces: {
    off: {},
    on: { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' },
    mostMore: 0.03,
  },
}
type Variables = Record<string, string>

const [name = '', count = '30'] = process.argv.slice(2)
const setting = SETTINGS[name]
if (!setting) throw new Error(`one of ${Object.keys(SETTINGS).join(', ')}`)
const WINDOWS = Number(count)
/** In each window: far below what an api can do, so that both do all of it on a busy machine too. */
const LOAD = { rate: 500, seconds: 2 }
/** Before anything counts: V8 compiles what is called often. */
const WARM_UP = { rate: 500, seconds: 10 }
/** A quota that is leased as usual, and not used up within an hour. */
const ALREADY_TAKEN = -1_000_000_000
const print = (line: string) => process.stdout.write(`${line}\n`)

await using started = new AsyncDisposableStack()
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end('{}'))
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
started.defer(() => void collector.close())
const { port: collectorPort } = collector.address() as AddressInfo
const postgres = await startBenchPostgres()
started.defer(postgres.stop)
await migrate(postgres.url)
await createTestIndex(postgres.url)
const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
await sql`
  insert into app.rate_limit values
    ('reads:address:127.0.0.1', ${ALREADY_TAKEN}, ${Date.now() + 3_600_000})`
await sql.end()
const metrics = await freePorts(2)
const traced = name === 'traces' && {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
}
const apis = await startApiReplicas(postgres.url, [
  { METRICS_PORT: String(metrics[0]), ...setting.off },
  { METRICS_PORT: String(metrics[1]), ...setting.on, ...traced },
])
started.defer(apis.stop)
const requests = gets([apis.orderPath])
const apiKeys = name === 'requestLog' ? [await keyOfApis()] : []

const both = apis.replicas.map(({ port }, index) => ({ port, metricsPort: metrics[index] ?? 0 }))
await measureAtOnce(both, WARM_UP)
const windows: { off: number; on: number }[] = []
for (let tries = 0; windows.length < WINDOWS; tries += 1) {
  if (tries === 2 * WINDOWS) throw new Error('the machine is too busy: most windows were refused')
  // Each is the first to be asked in every second window.
  const isTurned = windows.length % 2 === 1
  const used = await measureAtOnce(isTurned ? both.toReversed() : both, LOAD)
  if (!used) continue
  const [off = 0, on = 0] = isTurned ? used.toReversed() : used
  windows.push({ off, on })
  print(`off ${off.toFixed(0)} µs  on ${on.toFixed(0)} µs`)
}
const more = median(windows.map(({ off, on }) => on / off - 1))
print(
  `CPU time of a request, medians of ${WINDOWS} windows: off ${median(windows.map(({ off }) => off)).toFixed(0)} µs, on ${median(windows.map(({ on }) => on)).toFixed(0)} µs, ${inPercent(more)} more, bound ${inPercent(setting.mostMore)}`,
)
if (more > setting.mostMore) process.exitCode = 1

/** The microseconds of CPU time of a request in each api, whose loads run at once. Null if one was refused: the machine was too busy. */
async function measureAtOnce(of: typeof both, { rate, seconds }: typeof LOAD) {
  const before = await Promise.all(of.map(cpuSeconds))
  const loads = await Promise.allSettled(
    of.map(({ port }) => measureAtRate({ name: '', port, requests, apiKeys }, rate, seconds)),
  )
  if (loads.some(({ status }) => status === 'rejected')) return null
  const after = await Promise.all(of.map(cpuSeconds))
  return after.map((used, api) => ((used - (before[api] ?? 0)) / (rate * seconds)) * 1_000_000)
}

async function cpuSeconds({ metricsPort }: { metricsPort: number }): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

async function keyOfApis(): Promise<string> {
  const url = apis.replicas[0]?.url ?? ''
  await giveKeyOf(url, postgres.url, apis.appSecret)
  return keyOf(url) ?? ''
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
