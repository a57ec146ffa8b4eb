import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { migrate } from '../db/migrate.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import {
  compared,
  inPercent,
  measurePair,
  medianOf,
  type PairedApi,
  shownPair,
} from './apiPairs.ts'

/**
 * Measures what traces cost when one of a hundred is kept: reads of one order by a real process without traces and by one
 * with them, in turns: `node bench/tracing.ts [pairs] [ratio]`. Shows the throughput, and the CPU time of a request, on
 * which other load of the machine has little influence. Ends with 1 if a request takes over 3 % more CPU time.
 */
const PAIRS = Number(process.argv[2] ?? 15)
const RATIO = process.argv[3] ?? '0.01'
const MOST_MORE = 0.03
const print = (line: string) => process.stdout.write(`${line}\n`)

await using started = new AsyncDisposableStack()
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end('{}'))
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
started.defer(() => void collector.close())
const { port: collectorPort } = collector.address() as AddressInfo
const postgres = await startTemporaryPostgres()
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
const [without, traced] = apis.replicas.map(({ port }, index): PairedApi => {
  return { port, metricsPort: metrics[index] ?? 0, rates: [], cpu: [] }
})
if (!without || !traced) throw new Error('Invariant(tracing): two apis were started')
for (let pair = 0; pair < PAIRS; pair += 1) {
  await measurePair([without, traced], { path: apis.orderPath, apiKeys: [] })
  print(`off ${shownPair(without)}  on ${shownPair(traced)}`)
}
const { lost, more } = compared(without, traced)
print(
  `medians of ${PAIRS} pairs: off ${medianOf(without.rates).toFixed(0)}/s, on ${medianOf(traced.rates).toFixed(0)}/s, ${inPercent(lost)} lost`,
)
print(
  `CPU time of a request: off ${medianOf(without.cpu).toFixed(0)} µs, on ${medianOf(traced.cpu).toFixed(0)} µs, ${inPercent(more)} more, bound ${inPercent(MOST_MORE)}`,
)
if (more > MOST_MORE) process.exitCode = 1
