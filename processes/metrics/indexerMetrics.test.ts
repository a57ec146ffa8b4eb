import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { observe } from '../../domain/observation/observe.ts'
import { createIndexerMetrics, type IndexerState } from './indexerMetrics.ts'

let state: IndexerState | null = {
  build: 'index_1_a',
  state: 'building',
  chains: [{ chainId: 1, head: 12n, block: 10n, lagSeconds: 24 }],
}
const { registry, stop } = createIndexerMetrics(async () => state)
afterAll(stop)

test('default: build, head, block and lag come from one read', async () => {
  const text = await registry.metrics()
  for (const line of [
    'causeway_indexer_build{chain="1",build="index_1_a",state="building"} 1',
    'causeway_indexer_head_block{chain="1"} 12',
    'causeway_indexer_block{chain="1"} 10',
    'causeway_indexer_lag_seconds{chain="1"} 24',
    'causeway_indexer_ponder_restarts_total 0',
  ])
    expect(text).toContain(`${line}\n`)
})

test('behavior: requests to nodes and ends of Ponder are counted', async () => {
  // No other test of this process asks this chain.
  observe({ kind: 'rpc', chainId: 77_001, outcome: 'failed', seconds: 1 })
  observe({ kind: 'ponderEnd' })
  const text = await registry.metrics()
  expect(text).toContain('causeway_indexer_ponder_restarts_total 1\n')
  expect(text).toContain(
    'causeway_rpc_request_duration_seconds_count{chain="77001",outcome="failed"} 1\n',
  )
})

test('behavior: without an answer of the database, the gauges of the index are absent', async () => {
  state = null
  // The state is read at most once a second.
  await sleep(1_050)
  expect(await registry.metrics()).not.toMatch(/^causeway_indexer_(build|block|head_block|lag)/m)
})
