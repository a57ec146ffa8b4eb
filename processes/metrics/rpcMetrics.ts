import { Counter, Histogram, type Registry } from 'prom-client'
import type { Observation } from '../../domain/observation/observe.ts'

export const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Head messages of websockets are counted as this method. */
const HEADS = 'newHeads'

type Traffic = Extract<Observation, { kind: 'rpc' | 'headMessage' }>

/** The requests to nodes, of any process. Returns a function that counts one for the label of its chain. */
export function createRpcMetrics(registry: Registry): (traffic: Traffic, chain: string) => void {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'causeway_rpc_request_duration_seconds',
    help: 'Requests to nodes. Outcome error: the node answered with an error or a revert; failed: no answer, or that of another chain.',
    labelNames: ['chain', 'outcome'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const calls = new Counter({
    name: 'causeway_rpc_calls_total',
    help: 'Requests to nodes by method. Method newHeads: heads that a node announced over a websocket.',
    labelNames: ['chain', 'method'],
    registers,
  })
  const bytes = new Counter({
    name: 'causeway_rpc_bytes_total',
    help: 'Bytes of requests to nodes (sent) and of their answers (received), not compressed.',
    labelNames: ['chain', 'method', 'direction'],
    registers,
  })
  return (traffic, chain) => {
    const method = traffic.kind === 'rpc' ? traffic.method : HEADS
    calls.inc({ chain, method })
    bytes.inc({ chain, method, direction: 'received' }, traffic.received)
    if (traffic.kind === 'headMessage') return
    bytes.inc({ chain, method, direction: 'sent' }, traffic.sent)
    seconds.observe({ chain, outcome: traffic.outcome }, traffic.seconds)
  }
}
