import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { onObservation } from '../../domain/observation/observe.ts'
import type { Metrics } from './metrics.ts'
import { oncePerScrape } from './oncePerScrape.ts'
import { readGauge } from './readGauge.ts'
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
  const readAll = oncePerScrape(readState)
  const perChain = (
    name: string,
    help: string,
    readingOf: (chain: IndexerState['chains'][number]) => bigint | number | null,
  ) =>
    readGauge(registry, {
      name: `indexer_${name}`,
      help,
      labelNames: ['chain'],
      read: async () =>
        ((await readAll())?.chains ?? []).map((chain) => {
          const value = readingOf(chain)
          return [{ chain: String(chain.chainId) }, value === null ? null : Number(value)]
        }),
    })
  perChain('head_block', 'The newest block that the nodes have shown.', ({ head }) => head)
  perChain('block', 'The newest indexed block, also during the backfill.', ({ block }) => block)
  perChain(
    'lag_seconds',
    'The age of the newest indexed block, or 0 at the head.',
    ({ lagSeconds }) => lagSeconds,
  )
  readGauge(registry, {
    name: 'indexer_build',
    help: '1 for the build that this indexer makes, with its state.',
    labelNames: ['chain', 'build', 'state'],
    read: async () => {
      const { build, state, chains } = (await readAll()) ?? { build: '', state: '', chains: [] }
      return chains.map(({ chainId }) => [{ chain: String(chainId), build, state }, 1])
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
