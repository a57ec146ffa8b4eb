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
  const call = { kind: 'rpc', chainId: 77_001, method: 'eth_getLogs' } as const
  observe({ ...call, outcome: 'ok', seconds: 1, sent: 120, received: 4_000 })
  observe({ ...call, outcome: 'failed', seconds: 1, sent: 120, received: 0 })
  observe({ kind: 'headMessage', chainId: 77_001, received: 1_500 })
  observe({ kind: 'block', chainId: 77_001 })
  observe({ kind: 'ponderEnd' })
  const text = await registry.metrics()
  expect(text).toContain('causeway_indexer_ponder_restarts_total 1\n')
  for (const line of [
    'causeway_rpc_request_duration_seconds_count{chain="77001",outcome="failed"} 1',
    'causeway_rpc_calls_total{chain="77001",method="eth_getLogs"} 2',
    'causeway_rpc_calls_total{chain="77001",method="newHeads"} 1',
    'causeway_rpc_bytes_total{chain="77001",method="eth_getLogs",direction="sent"} 240',
    'causeway_rpc_bytes_total{chain="77001",method="eth_getLogs",direction="received"} 4000',
    'causeway_rpc_bytes_total{chain="77001",method="newHeads",direction="received"} 1500',
    'causeway_indexer_blocks_total{chain="77001"} 1',
  ])
    expect(text).toContain(`${line}\n`)
})

test('behavior: without an answer of the database, the gauges of the index are absent', async () => {
  state = null
  // The state is read at most once a second.
  await sleep(1_050)
  expect(await registry.metrics()).not.toMatch(
    /^causeway_indexer_(build|block|head_block|lag_seconds)\{/m,
  )
})
