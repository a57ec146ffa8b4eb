import { Gauge, type Registry } from 'prom-client'
import type { EndpointLoad } from '../../domain/webhook/deliveryFigures.ts'
import { oncePerScrape } from './oncePerScrape.ts'

/** The deliveries of the last five minutes, by endpoint. Both gauges of one scrape share one read. */
export function collectEndpoints(registry: Registry, readLoads: () => Promise<EndpointLoad[]>) {
  const registers = [registry]
  const read = oncePerScrape(readLoads)
  const attempts = new Gauge({
    name: 'causeway_webhook_endpoint_attempts',
    help: 'Attempts of the last five minutes, of the 200 busiest webhook endpoints, by outcome: delivered, failed.',
    labelNames: ['endpoint', 'outcome'],
    registers,
    async collect() {
      attempts.reset()
      for (const { endpointId: endpoint, delivered, failed } of await read()) {
        attempts.set({ endpoint, outcome: 'delivered' }, delivered)
        attempts.set({ endpoint, outcome: 'failed' }, failed)
      }
    },
  })
  const seconds = new Gauge({
    name: 'causeway_webhook_endpoint_answer_seconds',
    help: 'The time of the answers of these attempts, by quantile: 0.5, 0.95.',
    labelNames: ['endpoint', 'quantile'],
    registers,
    async collect() {
      seconds.reset()
      for (const { endpointId: endpoint, p50Ms, p95Ms } of await read()) {
        if (p50Ms !== null) seconds.set({ endpoint, quantile: '0.5' }, p50Ms / 1_000)
        if (p95Ms !== null) seconds.set({ endpoint, quantile: '0.95' }, p95Ms / 1_000)
      }
    },
  })
}
