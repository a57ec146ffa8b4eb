import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { cacheSizes } from '../../domain/cache/countedCache.ts'
import { type Observation, onObservation } from '../../domain/observation/observe.ts'
import type { Storage } from '../../domain/retention/storage.ts'
import type { EndpointLoad } from '../../domain/webhook/deliveryFigures.ts'
import { collectEndpoints } from './endpointMetrics.ts'
import { collectKeepers, type KeeperState } from './keeperMetrics.ts'
import { oncePerScrape } from './oncePerScrape.ts'
import { readGauge } from './readGauge.ts'
import { ANSWER_SECONDS, createRpcMetrics } from './rpcMetrics.ts'
import { collectStorage } from './storageMetrics.ts'

/** The state of one indexed chain, read at each scrape. */
type IndexState = { chainId: number; lagSeconds: number | null; isSynced: boolean }

/** The number of jobs of each kind and state. */
type QueueDepths = { kind: string; state: string; count: number }[]

/** The vaults whose withdraw queue is held up by a request that it can never pay. */
type BlockedVaults = { chainId: number; vault: string }[]

/** Each resolves to an empty list if its source does not answer, so that the other metrics are still served. */
type MetricReads = {
  readIndex: () => Promise<IndexState[]>
  readQueues: () => Promise<QueueDepths>
  /** Null if it cannot be read. */
  readJobWait: () => Promise<number | null>
  readBlockedVaults: () => Promise<BlockedVaults>
  readKeepers: () => Promise<KeeperState[]>
  readEndpoints: () => Promise<EndpointLoad[]>
  /** Empty for processes that keep nothing. */
  readStorage: () => Promise<Storage[]>
}

export type Metrics = {
  registry: Registry
  stop(): void
}

const PREFIX = 'causeway_'

/**
 * Counts the observations of this process. Chains outside of the address book share one label, because
 * clients must not be able to add series.
 */
export function createMetrics(
  chainIds: number[],
  {
    readIndex,
    readQueues,
    readJobWait,
    readBlockedVaults,
    readKeepers,
    readEndpoints,
    readStorage,
  }: MetricReads,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'HTTP responses, by route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time to answer, without long polls and streams.',
    labelNames: ['route', 'status'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const operations = new Counter({
    name: `${PREFIX}graphql_operations_total`,
    help: 'GraphQL operations, by kind and outcome.',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const countCall = createRpcMetrics(registry)
  const sharedReads = new Counter({
    name: `${PREFIX}shared_reads_total`,
    help: 'Reads of chain state that requests share. A hit was cached or already running.',
    labelNames: ['read', 'result'],
    registers,
  })
  const nodeReads = new Counter({
    name: `${PREFIX}node_reads_total`,
    help: 'Reads of nodes that apis make for each other: the answer of another api, or this one asked the nodes itself.',
    labelNames: ['read', 'by'],
    registers,
  })
  const indexReads = new Counter({
    name: `${PREFIX}index_reads_total`,
    help: 'With DATABASE_READ_URL: statements on the index, by the server that answered.',
    labelNames: ['server'],
    registers,
  })
  const replicaUsed = new Gauge({
    name: `${PREFIX}replica_used`,
    help: '1 for a replica of DATABASE_READ_URL that is read, 0 while it is late, silent or down.',
    labelNames: ['replica'],
    registers,
  })
  const held = new Gauge({
    name: `${PREFIX}held_requests`,
    help: 'Waiting long polls and open streams.',
    labelNames: ['kind'],
    registers,
  })
  const quotes = new Counter({
    name: `${PREFIX}quotes_total`,
    help: 'Requests for quotes on existing routes, by chains and outcome: quoted, or the reason of the error.',
    labelNames: ['source', 'destination', 'outcome'],
    registers,
  })
  const deliveries = new Histogram({
    name: `${PREFIX}webhook_delivery_duration_seconds`,
    help: 'Attempts to deliver webhooks. Outcome dead: the last attempt failed; gone: the endpoint answered 410.',
    labelNames: ['outcome'],
    buckets: ANSWER_SECONDS,
    registers,
  })
  const keeperBalance = new Gauge({
    name: `${PREFIX}keeper_balance`,
    help: "The balance of a keeper's account for gas at its last check, in whole coins of the chain.",
    labelNames: ['chain', 'account'],
    registers,
  })
  const keeperSpending = new Gauge({
    name: `${PREFIX}keeper_spent_ratio`,
    help: "What the keeper spent within the last hour, as a part of the hour's budget: 1 is all of it.",
    labelNames: ['chain'],
    registers,
  })
  const keeperHold = new Gauge({
    name: `${PREFIX}keeper_held`,
    help: '1 while the keeper sends nothing. Reason fee: the base fee is above its ceiling; budget: the hour is used up.',
    labelNames: ['chain', 'reason'],
    registers,
  })
  const smartDeposits = new Counter({
    name: `${PREFIX}smart_deposits_total`,
    help: 'Attempts to settle smart deposits, by outcome.',
    labelNames: ['chain', 'outcome'],
    registers,
  })
  const loggedRequests = new Counter({
    name: `${PREFIX}request_log_rows_total`,
    help: 'Requests with a key, by whether the request log has them. Dropped: too many waited to be written.',
    labelNames: ['outcome'],
    registers,
  })
  collectIndex(registry, chainIds, readIndex)
  collectQueues(registry, readQueues)
  collectJobWait(registry, readJobWait)
  collectBlockedVaults(registry, readBlockedVaults)
  collectKeepers(registry, readKeepers)
  collectEndpoints(registry, readEndpoints)
  collectStorage(registry, readStorage)
  collectCaches(registry)
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
        return countCall(observation, chain(observation.chainId))
      case 'sharedRead':
        return sharedReads.inc({ read: observation.of, result: observation.isHit ? 'hit' : 'miss' })
      case 'nodeRead':
        return nodeReads.inc({ read: observation.of, by: observation.by })
      case 'indexRead':
        return indexReads.inc({ server: observation.server })
      case 'replica':
        return replicaUsed.set({ replica: observation.name }, observation.isUsed ? 1 : 0)
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
      case 'keeperBalance': {
        const { chainId, account, wei } = observation
        return keeperBalance.set({ chain: chain(chainId), account }, inCoins(wei))
      }
      case 'keeperSpending': {
        const { chainId, wei, limitWei } = observation
        return keeperSpending.set({ chain: chain(chainId) }, Number(wei) / Number(limitWei))
      }
      case 'keeperHold': {
        for (const reason of ['fee', 'budget'])
          keeperHold.set(
            { chain: chain(observation.chainId), reason },
            observation.hold === reason ? 1 : 0,
          )
        return
      }
      case 'keeperEnd':
        return void forgetChain(
          [keeperBalance, keeperSpending, keeperHold],
          chain(observation.chainId),
        )
      case 'smartDeposit': {
        const { outcome } = observation
        return smartDeposits.inc({ chain: chain(observation.chainId), outcome })
      }
      case 'requestLog':
        return loggedRequests.inc({ outcome: observation.outcome }, observation.requests)
      case 'headMessage':
      case 'block':
      case 'ponderEnd':
        return // Only an indexer follows heads and has a Ponder.
    }
  }
  return { registry, stop: onObservation(count) }
}

/** Removes the series of a chain. They would keep their last values for ever, and alerts look at the largest of all workers. */
async function forgetChain(gauges: Gauge[], chain: string) {
  for (const gauge of gauges)
    for (const { labels } of (await gauge.get()).values)
      if (labels.chain === chain) gauge.remove(labels)
}

function collectQueues(registry: Registry, readQueues: () => Promise<QueueDepths>) {
  readGauge(registry, {
    name: 'queue_depth',
    help: 'Waiting jobs, and jobs that failed for good (dead).',
    labelNames: ['kind', 'state'],
    read: async () =>
      (await readQueues()).map(({ kind, state, count }) => [{ kind, state }, count]),
  })
}

function collectJobWait(registry: Registry, read: () => Promise<number | null>) {
  readGauge(registry, {
    name: 'job_wait_seconds',
    help: 'Seconds for which the oldest delivery job that no worker has taken has been due. NaN: unknown.',
    read: async () => [[{}, (await read()) ?? Number.NaN]],
  })
}

function collectBlockedVaults(registry: Registry, read: () => Promise<BlockedVaults>) {
  readGauge(registry, {
    name: 'withdraw_queue_blocked',
    help: '1 for a vault whose withdraw queue is held up by a request that it can never pay. Other vaults have no series.',
    labelNames: ['chain', 'vault'],
    read: async () => (await read()).map(({ chainId, vault }) => [{ chain: chainId, vault }, 1]),
  })
}

/** The sizes of the caches of this process, and their bounds. */
function collectCaches(registry: Registry) {
  const registers = [registry]
  const labelNames = ['cache']
  // Registered first, so that it has set both before either is written.
  const size = new Gauge({
    name: `${PREFIX}cache_size`,
    help: 'What a cache holds: entries, rows of pages, or characters of the documents.',
    labelNames,
    registers,
    collect() {
      for (const [cache, sizes] of cacheSizes()) {
        size.set({ cache }, sizes.size)
        bound.set({ cache }, sizes.bound)
      }
    },
  })
  const bound = new Gauge({
    name: `${PREFIX}cache_bound`,
    help: 'The most that a cache may hold.',
    labelNames,
    registers,
  })
}

/** A double is exact enough for a graph. */
function inCoins(wei: bigint): number {
  return Number(wei) / 1e18
}

/** A chain with an unknown lag has no value. */
function collectIndex(
  registry: Registry,
  chainIds: number[],
  readIndex: () => Promise<IndexState[]>,
) {
  const readAll = oncePerScrape(readIndex)
  readGauge(registry, {
    name: 'index_lag_seconds',
    help: "How far each chain's index is behind its node's head.",
    labelNames: ['chain'],
    read: async () =>
      (await readAll()).map(({ chainId, lagSeconds }) => [{ chain: chainId }, lagSeconds]),
  })
  readGauge(registry, {
    name: 'index_synced',
    help: "1 if a chain's index is synced and reads are answered from it, else 0.",
    labelNames: ['chain'],
    read: async () => {
      const states = await readAll()
      return chainIds.map((chainId) => {
        const state = states.find((candidate) => candidate.chainId === chainId)
        return [{ chain: chainId }, state?.isSynced ? 1 : 0]
      })
    },
  })
}
