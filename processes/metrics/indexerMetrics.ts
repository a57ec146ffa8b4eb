import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { onObservation } from '../../domain/observation/observe.ts'
import type { Metrics } from './metrics.ts'
import { createRpcMetrics } from './rpcMetrics.ts'

/** The build that an indexer makes now. `waiting`: another indexer makes the same build. */
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
const SCRAPE_LIFE_MS = 1_000

/** The metrics of an indexer. `readState` is called once for each scrape, and resolves to null if nothing is known. */
export function createIndexerMetrics(readState: () => Promise<IndexerState | null>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const countCall = createRpcMetrics(registry)
  const blocks = new Counter({
    name: `${PREFIX}blocks_total`,
    help: 'Blocks that this indexer gave to Ponder, one by one.',
    labelNames: ['chain'],
    registers,
  })
  const restarts = new Counter({
    name: `${PREFIX}ponder_restarts_total`,
    help: 'How often Ponder ended by itself and was started again.',
    registers,
  })
  let last: { at: number; state: Promise<IndexerState | null> } | undefined
  const read = () => {
    if (!last || Date.now() - last.at > SCRAPE_LIFE_MS)
      last = { at: Date.now(), state: readState() }
    return last.state
  }
  // The gauges of one scrape are collected at the same time, so each fills itself from the shared read.
  const perChain = (
    name: string,
    help: string,
    readingOf: (chain: IndexerState['chains'][number]) => bigint | number | null,
  ) =>
    new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames: ['chain'],
      registers,
      async collect() {
        const found = await read()
        this.reset()
        for (const chain of found?.chains ?? []) {
          const value = readingOf(chain)
          if (value !== null) this.set({ chain: String(chain.chainId) }, Number(value))
        }
      },
    })
  perChain('head_block', 'The newest block that the nodes have shown.', ({ head }) => head)
  perChain('block', 'The newest indexed block, also during the backfill.', ({ block }) => block)
  perChain(
    'lag_seconds',
    'The age of the newest indexed block, or 0 at the head.',
    ({ lagSeconds }) => lagSeconds,
  )
  new Gauge({
    name: `${PREFIX}build`,
    help: '1 for the build that this indexer makes, with its state.',
    labelNames: ['chain', 'build', 'state'],
    registers,
    async collect() {
      const found = await read()
      this.reset()
      for (const { chainId } of found?.chains ?? [])
        this.set(
          { chain: String(chainId), build: found?.build ?? '', state: found?.state ?? '' },
          1,
        )
    },
  })
  const stop = onObservation((observation) => {
    if (observation.kind === 'ponderEnd') restarts.inc()
    if (observation.kind === 'block') blocks.inc({ chain: String(observation.chainId) })
    if (observation.kind === 'rpc' || observation.kind === 'headMessage')
      countCall(observation, String(observation.chainId))
  })
  return { registry, stop }
}
