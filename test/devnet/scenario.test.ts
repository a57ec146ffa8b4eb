import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { worldClient, worldStations } from '../../devnet/world.ts'
import type { TransitOrderStatus } from '../../domain/transit/orders/transitOrder.ts'
import { seedScenario } from './seedScenario.ts'
import { startStationWorld } from './stationWorld.ts'

type SeenEvent = { chainId: number; name: string; uuid: Hex; remaining: bigint | undefined }

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('seedScenario', () => {
  test('default: every status, with and without parts, both ways and on one chain', async () => {
    await seedScenario(world)
    const orders = [...Map.groupBy(await orderEvents(), ({ uuid }) => uuid).values()].map(summarize)
    expect(orders.map(({ status, executions }) => `${status} ${executions}`).sort()).toEqual([
      'PENDING_BRIDGE 0',
      'PROCESSED 1',
      'PROCESSED 1',
      'PROCESSED 1',
      'PROCESSED 2',
      'PROCESSING 0',
      'PROCESSING 0',
      'PROCESSING 1',
      'REMOVED 0',
      'REMOVED 0',
    ])
    const finished = orders.filter(({ status }) => status === 'PROCESSED')
    expect(new Set(finished.map(({ way }) => way))).toEqual(new Set(['1', '1 4663', '4663 1']))
  })
})

async function orderEvents(): Promise<SeenEvent[]> {
  const perChain = worldStations(world).map(async ({ chainId, station }) => {
    const logs = await worldClient(world, chainId).getContractEvents({
      address: station,
      abi: transitStationAbi,
      fromBlock: 0n,
      strict: true,
    })
    return logs.flatMap(({ eventName: name, args }) =>
      'uuid' in args
        ? [
            {
              chainId,
              name,
              uuid: args.uuid,
              remaining: 'remaining' in args ? args.remaining : undefined,
            },
          ]
        : [],
    )
  })
  return (await Promise.all(perChain)).flat()
}

/** The end of an order, from its events on all chains. */
function summarize(events: SeenEvent[]) {
  const on = (name: string) => events.filter((event) => event.name === name)
  const executions = on('OrderExecuted')
  const [submitted] = on('OrderSubmitted')
  const source = submitted?.chainId
  const others = events.filter(({ chainId }) => chainId !== source).map(({ chainId }) => chainId)
  const status = ((): TransitOrderStatus => {
    if (on('OrderForceRemoved').length + on('UUIDForceSetUsed').length > 0) return 'REMOVED'
    if (on('OrderReceived').length === 0) return 'PENDING_BRIDGE'
    return executions.at(-1)?.remaining === 0n ? 'PROCESSED' : 'PROCESSING'
  })()
  return { status, executions: executions.length, way: [...new Set([source, ...others])].join(' ') }
}
