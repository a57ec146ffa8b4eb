import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Observation, onObservation } from '../../domain/observation/observe.ts'

/** What the metrics ask when they are scraped: the state of each indexed chain. */
type IndexState = { chainId: number; lagSeconds: number | null; isSynced: boolean }

/** How much waits to be done, or could not be, of each kind. */
type QueueDepths = { kind: string; state: string; count: number }[]

/** None where what they read does not answer: without the database the rest is still told. */
type MetricReads = {
  readIndex: () => Promise<IndexState[]>
  readQueues: () => Promise<QueueDepths>
}

export type Metrics = {
  registry: Registry
  stop(): void
}

const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const PREFIX = 'causeway_'
const SCRAPE_LIFE_MS = 1_000

/**
 * Counts what this process observes. Chains that are not in the address book share one label: what
 * clients may name must not grow the number of series.
 */
export function createMetrics(chainIds: number[], { readIndex, readQueues }: MetricReads): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Answers, by the pattern of their route and their status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time to answer; long polls and streams are not in it.',
    labelNames: ['route', 'status'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const operations = new Counter({
    name: `${PREFIX}graphql_operations_total`,
    help: 'GraphQL operations, by kind and how they ended.',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const calls = new Histogram({
    name: `${PREFIX}rpc_request_duration_seconds`,
    help: 'Requests to nodes; error: the node answered with one (a revert too), failed: no answer.',
    labelNames: ['chain', 'outcome'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const sharedReads = new Counter({
    name: `${PREFIX}shared_reads_total`,
    help: 'Reads that several may share: hits were read before, or are being read.',
    labelNames: ['read', 'result'],
    registers,
  })
  const held = new Gauge({
    name: `${PREFIX}held_requests`,
    help: 'Long polls that wait and streams that are open.',
    labelNames: ['kind'],
    registers,
  })
  const quotes = new Counter({
    name: `${PREFIX}quotes_total`,
    help: 'Quotes over routes that exist, by chains and outcome: quoted, or the reason why not.',
    labelNames: ['source', 'destination', 'outcome'],
    registers,
  })
  const deliveries = new Histogram({
    name: `${PREFIX}webhook_delivery_duration_seconds`,
    help: 'Attempts to deliver webhooks; dead: the last that failed, gone: answered 410.',
    labelNames: ['outcome'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const keeperBalance = new Gauge({
    name: `${PREFIX}keeper_balance`,
    help: 'What the keeper of smart deposits has for gas, in whole coins, when it last looked.',
    labelNames: ['chain'],
    registers,
  })
  const smartDeposits = new Counter({
    name: `${PREFIX}smart_deposits_total`,
    help: 'Attempts to settle smart deposits, by how they ended.',
    labelNames: ['chain', 'outcome'],
    registers,
  })
  collectIndex(registry, chainIds, readIndex)
  collectQueues(registry, readQueues)
  for (const kind of ['long_poll', 'stream']) held.set({ kind }, 0)
  const known = new Set(chainIds)
  const chain = (id: number) => (known.has(id) ? String(id) : 'other')

  const count = (observation: Observation) => {
    switch (observation.kind) {
      case 'request': {
        const route = observation.route ?? 'none'
        const status = String(observation.status)
        requests.inc({ method: observation.method, route, status })
        if (observation.seconds !== null) seconds.observe({ route, status }, observation.seconds)
        return
      }
      case 'graphql':
        return operations.inc({ operation: observation.operation, outcome: observation.outcome })
      case 'rpc':
        return calls.observe(
          { chain: chain(observation.chainId), outcome: observation.outcome },
          observation.seconds,
        )
      case 'sharedRead':
        return sharedReads.inc({ read: observation.of, result: observation.isHit ? 'hit' : 'miss' })
      case 'held':
        return held.inc({ kind: observation.what }, observation.change)
      case 'quote':
        return quotes.inc({
          source: chain(observation.sourceChainId),
          destination: chain(observation.destinationChainId),
          outcome: observation.outcome,
        })
      case 'delivery':
        return deliveries.observe({ outcome: observation.outcome }, observation.seconds)
      case 'keeperBalance':
        return keeperBalance.set({ chain: chain(observation.chainId) }, inCoins(observation.wei))
      case 'smartDeposit': {
        const { outcome } = observation
        return smartDeposits.inc({ chain: chain(observation.chainId), outcome })
      }
    }
  }
  return { registry, stop: onObservation(count) }
}

function collectQueues(registry: Registry, readQueues: () => Promise<QueueDepths>) {
  const depth = new Gauge({
    name: `${PREFIX}queue_depth`,
    help: 'What waits to be done, and what could not be done: dead.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      depth.reset()
      for (const { kind, state, count } of await readQueues()) depth.set({ kind, state }, count)
    },
  })
}

/** For a graph: a double is exact enough. */
function inCoins(wei: bigint): number {
  return Number(wei) / 1e18
}

/** Both gauges of one scrape come from one read; a chain that cannot be told has no value. */
function collectIndex(
  registry: Registry,
  chainIds: number[],
  readIndex: () => Promise<IndexState[]>,
) {
  let last: { at: number; states: Promise<IndexState[]> } | undefined
  const read = () => {
    if (!last || Date.now() - last.at > SCRAPE_LIFE_MS)
      last = { at: Date.now(), states: readIndex() }
    return last.states
  }
  const lag = new Gauge({
    name: `${PREFIX}index_lag_seconds`,
    help: "How far each chain's index is behind its node's head.",
    labelNames: ['chain'],
    registers: [registry],
    async collect() {
      lag.reset()
      for (const { chainId, lagSeconds } of await read())
        if (lagSeconds !== null) lag.set({ chain: chainId }, lagSeconds)
    },
  })
  const synced = new Gauge({
    name: `${PREFIX}index_synced`,
    help: "1 where a chain's index is level and answered from, 0 where not.",
    labelNames: ['chain'],
    registers: [registry],
    async collect() {
      const states = await read()
      for (const chainId of chainIds) {
        const state = states.find((candidate) => candidate.chainId === chainId)
        synced.set({ chain: chainId }, state?.isSynced ? 1 : 0)
      }
    },
  })
}
