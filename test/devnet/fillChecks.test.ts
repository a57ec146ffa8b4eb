import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { worldClient } from '../../devnet/world.ts'
import { revertChains } from '../support/revertChains.ts'
import { stationAbi, tokenAbi } from './localAbis.ts'
import { makeQuote, signQuote, submitCall } from './orders.ts'
import { revertOf } from './revertOf.ts'
import {
  approve,
  deployer,
  fillCall,
  send,
  startStationWorld,
  station,
  tokens,
  user,
  vault,
} from './stationWorld.ts'

const DUE = 100_000_000n
const UNKNOWN = `0x${'77'.repeat(32)}` as const
const wantAsset = tokens.USDG

let world: Awaited<ReturnType<typeof startStationWorld>>
let uuid: Hex
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())
revertChains(() => [worldClient(world, 1)])
beforeEach(async () => {
  uuid = await submit()
})

describe('executePendingOrders', () => {
  test('default: the receiver is paid, the rest stays pending, the last execution removes it', async () => {
    const before = await balanceOf(user(1).address)
    await fill(30_000_000n)
    expect(await pendingAmount()).toBe(70_000_000n)
    await fill(70_000_000n)
    expect((await balanceOf(user(1).address)) - before).toBe(DUE)
    expect(await isPending()).toBe(false)
  })

  test('behavior: an execution of 0 does not change the order', async () => {
    await fill(0n)
    expect(await pendingAmount()).toBe(DUE)
  })

  test('behavior: removing one order keeps the others pending', async () => {
    const others = [await submit(), await submit()]
    await fill(DUE)
    const ids = await read('getPendingOrderIds')
    expect([...ids].sort()).toEqual([...others].sort())
    expect(await read('pendingOrderCount')).toBe(2n)
    const pending = await read('getPendingOrders')
    expect(pending.map(({ terms, amountDue }) => [terms.uuid, amountDue])).toEqual(
      ids.map((id) => [id, DUE]),
    )
  })

  test('error: an order that is not pending', async () => {
    const call = fillCall({ wantAsset, uuid: UNKNOWN, amount: 1n })
    expect(await revertOf(world, 1, call)).toEqual(['OrderNotFound', UNKNOWN])
  })

  test('error: an order of another want asset', async () => {
    const call = fillCall({ wantAsset: tokens.USDC, uuid, amount: 1n })
    expect(await revertOf(world, 1, call)).toEqual([
      'WantAssetMismatch',
      uuid,
      wantAsset,
      tokens.USDC,
    ])
  })

  test('error: more than is due', async () => {
    const call = fillCall({ wantAsset, uuid, amount: DUE + 1n })
    expect(await revertOf(world, 1, call)).toEqual(['AmountExceedsDue', uuid, DUE + 1n, DUE])
  })

  test('error: an allowance that is left over, however large', async () => {
    const one = fillCall({ wantAsset, uuid, amount: DUE }, DUE + 1n)
    expect(await revertOf(world, 1, one)).toEqual(['ResidualApproval', wantAsset, vault, 1n])
    const endless = fillCall({ wantAsset, uuid, amount: DUE }, maxUint256)
    expect((await revertOf(world, 1, endless))[0]).toBe('ResidualApproval')
  })

  test('error: a receiver that the token refuses', async () => {
    const blacklist = { abi: tokenAbi, functionName: 'blacklist', args: [user(1).address] } as const
    const data = encodeFunctionData(blacklist)
    const id = await submit(tokens.USDT, tokens.USDC)
    await send(world, 1, { address: tokens.USDC, account: deployer, data })
    const call = fillCall({ wantAsset: tokens.USDC, uuid: id, amount: 1n })
    expect(await revertOf(world, 1, call)).toEqual(['Error', 'TRANSFER_FROM_FAILED'])
  })

  test('error: any caller except the vault, which only its manager uses', async () => {
    const data = encodeFunctionData({
      abi: stationAbi,
      functionName: 'executePendingOrders',
      args: [[]],
    })
    const direct = { address: station, account: user(), data }
    expect(await revertOf(world, 1, direct)).toEqual(['Error', 'UNAUTHORIZED'])
    const managed = { ...fillCall({ wantAsset, uuid, amount: DUE }), account: user() }
    expect(await revertOf(world, 1, managed)).toEqual(['Error', 'UNAUTHORIZED'])
  })

  test('error: a pause stops executions', async () => {
    await owner(encodeFunctionData({ abi: stationAbi, functionName: 'pause' }))
    const call = fillCall({ wantAsset, uuid, amount: DUE })
    expect(await revertOf(world, 1, call)).toEqual(['EnforcedPause'])
  })
})

describe('forceRemovePendingOrder', () => {
  const removal = (id: Hex) =>
    encodeFunctionData({ abi: stationAbi, functionName: 'forceRemovePendingOrder', args: [id] })

  test('default: nothing is pending, and there is no refund', async () => {
    const before = await balanceOf(user(1).address)
    await owner(removal(uuid))
    expect([await isPending(), await balanceOf(user(1).address)]).toEqual([false, before])
  })

  test('error: an order that is not pending', async () => {
    const call = { address: station, account: deployer, data: removal(UNKNOWN) }
    expect(await revertOf(world, 1, call)).toEqual(['OrderNotFound', UNKNOWN])
  })

  test('error: any other caller', async () => {
    const call = { address: station, account: user(), data: removal(uuid) }
    expect(await revertOf(world, 1, call)).toEqual(['Error', 'UNAUTHORIZED'])
  })
})

async function submit(offerAsset = tokens.USDC, want = wantAsset): Promise<Hex> {
  const quote = await makeQuote(world, 1, {
    route: { destEID: 30_101, offerAsset, wantAsset: want },
  })
  await approve(world, 1, offerAsset, quote.offerAmount)
  const signed = await signQuote(1, quote)
  await send(world, 1, submitCall(quote, signed.signature))
  return signed.uuid
}

function fill(amount: bigint) {
  return send(world, 1, fillCall({ wantAsset, uuid, amount }))
}

function owner(data: Hex) {
  return send(world, 1, { address: station, account: deployer, data })
}

function read<Name extends 'getPendingOrderIds' | 'getPendingOrders' | 'pendingOrderCount'>(
  functionName: Name,
) {
  return worldClient(world, 1).readContract({ address: station, abi: stationAbi, functionName })
}

async function pendingAmount(): Promise<bigint> {
  const [, amountDue] = await worldClient(world, 1).readContract({
    address: station,
    abi: stationAbi,
    functionName: 'pendingOrders',
    args: [uuid],
  })
  return amountDue
}

function isPending(): Promise<boolean> {
  return worldClient(world, 1).readContract({
    address: station,
    abi: stationAbi,
    functionName: 'pendingOrderIdsContains',
    args: [uuid],
  })
}

function balanceOf(account: Hex): Promise<bigint> {
  return worldClient(world, 1).readContract({
    address: wantAsset,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [account],
  })
}
