import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { onObservation } from '../../domain/observation/observe.ts'
import type { Metrics } from './metrics.ts'
import { createRpcMetric } from './rpcMetric.ts'

/** What an indexer makes now. `waiting`: another indexer makes the same build. */
export type IndexerState = {
  build: string
  state: 'waiting' | 'building' | 'served' | 'failed' | 'retired'
  chains: {
    chainId: number
    /** The newest block of the chain that it follows; null before the first. */
    head: bigint | null
    /** The newest indexed block, also during the backfill; null before the first. */
    block: bigint | null
    lagSeconds: number | null
  }[]
}

const PREFIX = 'causeway_indexer_'

/** The metrics of an indexer. `readState` is called once at each scrape, and resolves to null if nothing is known. */
export function createIndexerMetrics(readState: () => Promise<IndexerState | null>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = createRpcMetric(registry)
  const restarts = new Counter({
    name: `${PREFIX}ponder_restarts_total`,
    help: 'How often Ponder ended by itself and was started again.',
    registers,
  })
  const head = new Gauge({
    name: `${PREFIX}head_block`,
    help: 'The newest block that the nodes of each chain have shown.',
    labelNames: ['chain'],
    registers,
  })
  const block = new Gauge({
    name: `${PREFIX}block`,
    help: 'The newest indexed block of each chain, also during the backfill.',
    labelNames: ['chain'],
    registers,
  })
  const lag = new Gauge({
    name: `${PREFIX}lag_seconds`,
    help: 'The age of the newest indexed block, or 0 at the head.',
    labelNames: ['chain'],
    registers,
  })
  new Gauge({
    name: `${PREFIX}build`,
    help: '1 for the build that this indexer makes, with its state.',
    labelNames: ['chain', 'build', 'state'],
    registers,
    // The others are set here too, so that all come from one read.
    async collect() {
      for (const gauge of [this, head, block, lag]) gauge.reset()
      const found = await readState()
      for (const { chainId, ...at } of found?.chains ?? []) {
        const chain = String(chainId)
        this.set({ chain, build: found?.build ?? '', state: found?.state ?? '' }, 1)
        if (at.head !== null) head.set({ chain }, Number(at.head))
        if (at.block !== null) block.set({ chain }, Number(at.block))
        if (at.lagSeconds !== null) lag.set({ chain }, at.lagSeconds)
      }
    },
  })
  const stop = onObservation((observation) => {
    if (observation.kind === 'ponderEnd') restarts.inc()
    if (observation.kind === 'rpc')
      calls.observe(
        { chain: String(observation.chainId), outcome: observation.outcome },
        observation.seconds,
      )
  })
  return { registry, stop }
}
