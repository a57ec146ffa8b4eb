import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { migrate } from '../db/migrate.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { inPercent, measureAtOnce, medianOf } from './apiPairs.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures what traces cost when one of a hundred is kept: a real process without traces and one with them get the same
 * reads of one order at the same time: `node bench/tracing.ts [windows] [ratio]`. Shows the CPU time of a request, which is
 * what limits the throughput of an api. Ends with 1 if a request takes over 3 % more. Takes some two minutes.
 */
const WINDOWS = Number(process.argv[2] ?? 30)
const RATIO = process.argv[3] ?? '0.01'
const MOST_MORE = 0.03
/** In each window: far below what an api can do, so that both do all of it on a busy machine too. */
const LOAD = { rate: 500, seconds: 2 }
/** Before anything counts: V8 compiles what is called often. */
const WARM_UP = { rate: 500, seconds: 10 }
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
const metrics = await freePorts(2)
const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: RATIO,
}
const apis = await startApiReplicas(
  postgres.url,
  [{}, tracing].map((variables, index) => ({
    ...variables,
    RATE_LIMITS: 'off',
    METRICS_PORT: String(metrics[index]),
  })),
)
started.defer(apis.stop)
const asked = { path: apis.orderPath, apiKeys: [] }
const processes = apis.replicas.map(({ port }, index) => ({
  port,
  metricsPort: metrics[index] ?? 0,
}))
await measureAtOnce(processes, { ...asked, ...WARM_UP })
const windows: { off: number; on: number }[] = []
for (let tries = 0; windows.length < WINDOWS; tries += 1) {
  if (tries === 2 * WINDOWS) throw new Error('the machine is too busy: most windows were refused')
  // Each is the first to be asked in every second window.
  const isTurned = windows.length % 2 === 1
  const used = await measureAtOnce(isTurned ? processes.toReversed() : processes, {
    ...asked,
    ...LOAD,
  })
  if (!used) continue
  const [off = 0, on = 0] = isTurned ? used.toReversed() : used
  windows.push({ off, on })
  print(`off ${off.toFixed(0)} µs  on ${on.toFixed(0)} µs`)
}
const more = medianOf(windows.map(({ off, on }) => on / off - 1))
print(
  `CPU time of a request, medians of ${WINDOWS} windows: off ${medianOf(windows.map(({ off }) => off)).toFixed(0)} µs, on ${medianOf(windows.map(({ on }) => on)).toFixed(0)} µs, ${inPercent(more)} more, bound ${inPercent(MOST_MORE)}`,
)
if (more > MOST_MORE) process.exitCode = 1
