import type { Registry } from 'prom-client'
import type { EndpointLoad } from '../../domain/webhook/deliveryFigures.ts'
import { oncePerScrape } from './oncePerScrape.ts'
import { readGauge } from './readGauge.ts'

/** The deliveries of the last five minutes, by endpoint. */
export function collectEndpoints(registry: Registry, readLoads: () => Promise<EndpointLoad[]>) {
  const readAll = oncePerScrape(readLoads)
  readGauge(registry, {
    name: 'webhook_endpoint_attempts',
    help: 'Attempts of the last five minutes, of the 200 busiest webhook endpoints, by outcome: delivered, failed.',
    labelNames: ['endpoint', 'outcome'],
    read: async () =>
      (await readAll()).flatMap(({ endpointId: endpoint, delivered, failed }) => [
        [{ endpoint, outcome: 'delivered' }, delivered] as const,
        [{ endpoint, outcome: 'failed' }, failed] as const,
      ]),
  })
  const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1_000)
  readGauge(registry, {
    name: 'webhook_endpoint_answer_seconds',
    help: 'The time of the answers of these attempts, by quantile: 0.5, 0.95.',
    labelNames: ['endpoint', 'quantile'],
    read: async () =>
      (await readAll()).flatMap(({ endpointId: endpoint, p50Ms, p95Ms }) => [
        [{ endpoint, quantile: '0.5' }, inSeconds(p50Ms)] as const,
        [{ endpoint, quantile: '0.95' }, inSeconds(p95Ms)] as const,
      ]),
  })
}
