import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { encodeFunctionData, type Hex, pad, zeroHash } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { layerZeroEndpointAbi } from '../../abis/layerZeroEndpoint.ts'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { startExecutor } from '../../devnet/bots/executor.ts'
import { HOLD_BRIDGE, HOLD_EXECUTION } from '../../devnet/bots/hold.ts'
import { startRelayer } from '../../devnet/bots/relayer.ts'
import type { Bot } from '../../devnet/bots/startBot.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { until } from '../support/until.ts'
import {
  deployer,
  endpoint,
  send,
  setPeer,
  startStationWorld,
  station,
  tokens,
  user,
} from './stationWorld.ts'

const logger = pino({ level: 'silent' })
const everyMs = 20

let world: Awaited<ReturnType<typeof startStationWorld>>
const bots: Bot[] = []
beforeAll(async () => {
  world = await startStationWorld()
})
afterEach(async () => {
  await Promise.all(bots.splice(0).map((bot) => bot.stop()))
})
afterAll(() => world?.stop())

describe('startRelayer', () => {
  test('default: what was sent before it started, and after, both ways', async () => {
    const before = [await order(1, 4663), await order(4663, 1)]
    relay()
    const after = [await order(1, 4663), await order(4663, 1)]
    for (const [forth, back] of [before, after]) {
      await until(() => hasArrived(4663, forth))
      await until(() => hasArrived(1, back))
    }
  })

  test('behavior: it can be stopped and started, and delivers nothing twice', async () => {
    const first = relay()
    const id = await order(1, 4663)
    await until(() => hasArrived(4663, id))
    await first.stop()
    const later = await order(1, 4663)
    relay()
    await until(() => hasArrived(4663, later))
    const arrived = await logsOf('OrderReceived', id)
    expect(arrived).toHaveLength(1)
  })

  test('behavior: a held order stays, the next one passes', async () => {
    relay()
    const held = await order(1, 4663, HOLD_BRIDGE)
    const next = await order(1, 4663)
    await until(() => hasArrived(4663, next))
    expect(await hasArrived(4663, held)).toBe(false)
  })

  test('behavior: a delivery that reverts is alerted once and holds up no other', async () => {
    await setPeer(world, zeroHash)
    relay()
    await order(1, 4663)
    await until(async () => (await alerts()) === 1)
    await setPeer(world, pad(station))
    const next = await order(1, 4663)
    await until(() => hasArrived(4663, next))
    await sleep(everyMs * 10)
    expect(await alerts()).toBe(1)
  })
})

describe('startExecutor', () => {
  test('default: orders are executed at once, or in two parts', async () => {
    for (const [partShare, executions] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const bot = startExecutor({ world, logger, everyMs, partShare })
      const id = await order(1, 1)
      await until(async () => !(await isPending(1, id)))
      await bot.stop()
      const executed = await logsOf('OrderExecuted', id, 1)
      expect(executed).toHaveLength(executions)
    }
  })

  test('behavior: a held order stays open', async () => {
    bots.push(startExecutor({ world, logger, everyMs, partShare: 0 }))
    const held = await order(1, 1, HOLD_EXECUTION)
    const next = await order(1, 1)
    await until(async () => !(await isPending(1, next)))
    expect(await isPending(1, held)).toBe(true)
  })

  test('behavior: a receiver that the token refuses holds up no other', async () => {
    const refused = user(8).address
    const data = encodeFunctionData({
      abi: [BLACKLIST],
      functionName: 'blacklist',
      args: [refused],
    })
    await send(world, 1, { address: tokens.USDC, account: deployer, data })
    const route = { offerAsset: tokens.USDT, wantAsset: tokens.USDC }
    const request = { user: user(), sourceChainId: 1, destinationChainId: 1, ...route }
    const stuck = await placeOrder(world, {
      ...request,
      offerAmount: 5_000_000n,
      receiver: refused,
    })
    const other = await placeOrder(world, { ...request, offerAmount: 5_000_000n })
    bots.push(startExecutor({ world, logger, everyMs, partShare: 0 }))
    await until(async () => !(await isPending(1, other.orderId)))
    expect(await isPending(1, stuck.orderId)).toBe(true)
  })
})

const BLACKLIST = {
  type: 'function',
  name: 'blacklist',
  stateMutability: 'nonpayable',
  inputs: [{ name: 'account', type: 'address' }],
  outputs: [],
} as const

function relay(): Bot {
  const bot = startRelayer({ world, logger, everyMs })
  bots.push(bot)
  return bot
}

async function order(from: number, to: number, distributorCode?: Hex): Promise<Hex> {
  const offerAsset = from === 1 ? tokens.USDC : tokens.USDG
  const wantAsset = to === from ? tokens.USDG : from === 1 ? tokens.USDG : tokens.USDT
  const { orderId } = await placeOrder(world, {
    user: user(),
    sourceChainId: from,
    destinationChainId: to,
    offerAsset,
    wantAsset,
    offerAmount: 5_000_000n,
    ...(distributorCode ? { distributorCode } : {}),
  })
  return orderId
}

function hasArrived(chainId: number, id: Hex | undefined): Promise<boolean> {
  return worldClient(world, chainId).readContract({
    address: station,
    abi: transitStationAbi,
    functionName: 'usedDigests',
    args: [id ?? zeroHash],
  })
}

function isPending(chainId: number, id: Hex): Promise<boolean> {
  return worldClient(world, chainId).readContract({
    address: station,
    abi: transitStationAbi,
    functionName: 'pendingOrderIdsContains',
    args: [id],
  })
}

function logsOf(eventName: 'OrderReceived' | 'OrderExecuted', uuid: Hex, chainId = 4663) {
  return worldClient(world, chainId).getContractEvents({
    address: station,
    abi: transitStationAbi,
    eventName,
    args: { uuid },
    fromBlock: 0n,
  })
}

async function alerts(): Promise<number> {
  const logs = await worldClient(world, 4663).getContractEvents({
    address: endpoint,
    abi: layerZeroEndpointAbi,
    eventName: 'LzReceiveAlert',
    fromBlock: 0n,
  })
  return logs.length
}
