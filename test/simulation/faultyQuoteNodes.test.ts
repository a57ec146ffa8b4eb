import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { startStationWorld } from '../devnet/stationWorld.ts'
import { startTestApi } from '../support/api.ts'
import type { Ailment } from '../support/faultyNode.ts'
import { handClock } from '../support/handClock.ts'
import { quotePath } from '../support/quotes.ts'
import { askRoutes, startStationNode } from '../support/stationNodes.ts'

/** Quotes and routes while one or both nodes of a chain fail for long. */

const USER = DEVNET_USERS[0]?.address ?? ''
const LOCAL = quotePath(
  { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
  { userAddress: USER, offerAmount: '2000000000' },
)
const CROSS = quotePath(
  { from: 1, to: 4663, offer: 'USDC', want: 'USDG' },
  { userAddress: USER, offerAmount: '2000000000' },
)

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('nodes that fail', () => {
  test.each<Ailment>(['errors', 'faults', 'garbage', 'tooMany', 'silent', 'otherChain'])(
    'behavior: one of two nodes of each chain has %s, and quotes keep coming',
    async (ailment) => {
      const { api, first, clock } = await startOverTwo()
      expect((await askRoutes(api, CROSS)).status).toBe(200)
      for (const node of first) await node.fall(ailment)
      // A node of another chain is detected when nodes are asked for their chain id.
      if (ailment === 'otherChain') await sleep(2_500)
      // Approvals are read again in every second round, prices in every fourth.
      for (let round = 0; round < 8; round += 1) {
        for (const path of [LOCAL, CROSS]) {
          const { status, body } = await askRoutes(api, path)
          expect([status, body.error]).toEqual([200, undefined])
        }
        clock.advance(2_600)
      }
    },
  )

  test.each<Ailment>(['errors', 'faults', 'silent'])(
    'error: both nodes of a chain have %s: 503 within 3 s that names it, and quotes within 5 s of their return',
    async (ailment) => {
      const { api, first, second, clock } = await startOverTwo()
      expect((await askRoutes(api, CROSS)).status).toBe(200)
      for (const node of [...first, ...second]) await node.fall(ailment)
      // Neither approvals nor prices are cached for this long.
      clock.advance(10_100)
      // The second time, the nodes are known to fail.
      for (let round = 0; round < 2; round += 1) {
        const startedAt = Date.now()
        const { status, body } = await askRoutes(api, CROSS)
        expect(Date.now() - startedAt).toBeLessThan(3_000)
        expect(status).toBe(503)
        expect(body.error?.details.at(-1)?.reason).toBe('RPC_UNAVAILABLE')
        expect(body.error?.message).toMatch(/chain (1|4663)/)
      }
      for (const node of [...first, ...second]) await node.fall('well')
      const statusLater = async () => {
        // A failure is kept for two seconds of this clock.
        clock.advance(100)
        return (await askRoutes(api, CROSS)).status
      }
      await expect.poll(statusLater, { interval: 100 }).toBe(200)
    },
  )

  test('behavior: the destination alone is gone: no quote, and the routes there are as last known', async () => {
    const { api, away, clock } = await startOverTwo()
    const routes = () => askRoutes(api, '/v1/transit/routes?pageSize=100')
    const before = await routes()
    expect(new Set(before.body.routes.map(({ stale }) => stale))).toEqual(new Set([false]))
    for (const node of away) await node.fall('errors')
    // Longer than the destination's gas price is kept.
    clock.advance(10_100)
    expect((await askRoutes(api, CROSS)).status).toBe(503)
    const { status, body, headers } = await routes()
    expect([status, headers.get('x-degraded-chains')]).toEqual([200, '4663'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.routes.length).toBe(before.body.routes.length)
    for (const { sourceChainId, destinationChainId, stale, asOf } of body.routes) {
      expect(stale).toBe(sourceChainId !== 1 || destinationChainId !== 1)
      expect(Date.now() - Date.parse(asOf)).toBeLessThan(60_000)
    }
    clock.advance(300_000)
    const late = await routes()
    expect([late.status, late.body.error?.message]).toEqual([503, 'No node of chain 4663 answers'])
  })
})

test('behavior: routes whose feeds became too old while their chains are silent are as last known', async () => {
  const { api, first, second, clock } = await startOverTwo()
  const routes = () => askRoutes(api, '/v1/transit/routes?pageSize=100')
  const before = await routes()
  for (const node of [...first, ...second]) await node.fall('errors')
  clock.advance(10_100)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { status, body } = await routes()
  expect([status, body.routes.length]).toEqual([200, before.body.routes.length])
  expect(body.routes.every(({ stale }) => stale)).toBe(true)
  expect((await askRoutes(api, LOCAL)).status).toBe(503)
})

/** A server with two proxies of one node as the two nodes of each chain, and its clock. */
async function startOverTwo() {
  const opened = await Promise.all(
    [1, 1, 4663, 4663].map((id) => startStationNode(world, id as 1 | 4663)),
  )
  const [a, b, c, d] = opened
  if (!a || !b || !c || !d) throw new Error('four proxies')
  const rpcUrls = { 1: [a.rpcUrl, b.rpcUrl], 4663: [c.rpcUrl, d.rpcUrl] }
  const clock = handClock()
  const api = await startTestApi({ world, rpcUrls, clock })
  onTestFinished(async () => {
    await api.stop()
    await Promise.all(opened.map((node) => node.stop()))
  })
  return { api, clock, first: [a, c], second: [b, d], away: [c, d] }
}
