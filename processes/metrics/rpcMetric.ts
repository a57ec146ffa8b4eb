import { Histogram, type Registry } from 'prom-client'

export const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The requests to nodes, of any process. */
export function createRpcMetric(registry: Registry) {
  return new Histogram({
    name: 'causeway_rpc_request_duration_seconds',
    help: 'Requests to nodes. Outcome error: the node answered with an error or a revert; failed: no answer, or that of another chain.',
    labelNames: ['chain', 'outcome'],
    buckets: ANSWER_SECONDS,
    registers: [registry],
  })
}
