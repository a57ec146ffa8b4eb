import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { parseEther, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { accountantAbi } from '../../abis/accountant.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { startQueueSolver } from '../../devnet/bots/queueSolver.ts'
import { startRateUpdater } from '../../devnet/bots/rateUpdater.ts'
import type { Bot } from '../../devnet/bots/startBot.ts'
import { type VaultDeployment, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto, depositNative } from '../../devnet/vaults/depositInto.ts'
import { accountantOperatorAbi } from '../../devnet/vaults/operatorAbis.ts'
import { submitWithdrawal } from '../../devnet/vaults/submitWithdrawal.ts'
import { worldClient } from '../../devnet/world.ts'
import { until } from '../support/until.ts'
import { send, user } from './stationWorld.ts'
import {
  actors,
  callOf,
  owner,
  prime,
  startVaultWorld,
  tokens,
  type VaultWorld,
} from './vaultWorld.ts'

const logger = pino({ level: 'silent' })
const everyMs = 20
const ether = vaultDeployment('Harbor Ether', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const dollar = vaultDeployment('Harbor Dollar', 1)

let world: VaultWorld
const bots: Bot[] = []
beforeAll(async () => {
  world = await startVaultWorld()
  const million = { user: user(), amount: parseUnits('1000', 6) }
  await depositInto(world, { ...million, deployment: prime, asset: tokens.USDG })
  await depositInto(world, { ...million, deployment: classic, asset: tokens.USDC })
  await depositInto(world, { ...million, deployment: dollar, asset: tokens.USDG })
  await depositNative(world, { user: user(), deployment: ether, amount: parseEther('3') })
})
afterEach(async () => {
  await Promise.all(bots.splice(0).map((bot) => bot.stop()))
})
afterAll(() => world?.stop())

describe('startQueueSolver', () => {
  test('default: orders from before it started, and after, in both generations', async () => {
    const before = await order(prime, tokens.USDG)
    const older = await order(classic, tokens.USDC)
    solve()
    const after = await order(prime, tokens.USDG)
    await until(async () => (await statusOf(prime, before)) === 2)
    await until(async () => (await statusOf(classic, older)) === 2)
    await until(async () => (await statusOf(prime, after)) === 2)
  })

  test('behavior: what the vault cannot pay waits until it can, what is before it does not', async () => {
    const payable = await order(prime, tokens.USDG)
    const unpayable = await order(prime, tokens.USDS)
    solve()
    await until(async () => (await statusOf(prime, payable)) === 2)
    await sleep(everyMs * 10)
    expect(await statusOf(prime, unpayable)).toBe(1)
    const amount = parseEther('500')
    await depositInto(world, { user: user(1), deployment: prime, asset: tokens.USDS, amount })
    await until(async () => (await statusOf(prime, unpayable)) === 2)
  })

  test('behavior: a held order stays, and all behind it', async () => {
    const first = await order(dollar, tokens.USDG)
    const held = await order(dollar, tokens.USDG, actors.holder.address)
    const behind = await order(dollar, tokens.USDG)
    solve()
    await until(async () => (await statusOf(dollar, first)) === 2)
    await sleep(everyMs * 10)
    expect([await statusOf(dollar, held), await statusOf(dollar, behind)]).toEqual([1, 1])
  })
})

describe('startRateUpdater', () => {
  test('default: every vault moves, a little, and none is paused by it', async () => {
    const before = await Promise.all([prime, dollar, classic, ether].map(readRate))
    await worldClient(world, 1).increaseTime({ seconds: 60 })
    await worldClient(world, 1).mine({ blocks: 1 })
    update()
    await until(async () => {
      const now = await Promise.all([prime, dollar, classic, ether].map(readRate))
      return now.every((rate, index) => rate !== before[index])
    })
    const after = await Promise.all([prime, dollar, classic, ether].map(readRate))
    for (const [index, rate] of after.entries()) {
      const change = Number(rate) / Number(before[index]) - 1
      expect(Math.abs(change)).toBeLessThan(0.01)
    }
    const { isPaused } = await readState()
    expect(isPaused).toBe(false)
  })

  test('behavior: one that is paused is left as it is, one updated just now too', async () => {
    const call = callOf(owner, prime.current.accountant, accountantOperatorAbi, 'pause')
    await send(world, 1, call)
    await worldClient(world, 1).increaseTime({ seconds: 60 })
    const again = [await readRate(dollar)]
    const touch = callOf(
      owner,
      dollar.current.accountant,
      accountantOperatorAbi,
      'updateExchangeRate',
      again,
    )
    await send(world, 1, touch)
    const before = await Promise.all([prime, dollar].map(readRate))
    update()
    await sleep(everyMs * 10)
    expect(await Promise.all([prime, dollar].map(readRate))).toEqual(before)
    const unpause = callOf(owner, prime.current.accountant, accountantOperatorAbi, 'unpause')
    await send(world, 1, unpause)
  })
})

function solve() {
  bots.push(startQueueSolver({ world, logger, everyMs }))
}

function update() {
  bots.push(startRateUpdater({ world, logger, everyMs }))
}

async function order(
  deployment: VaultDeployment,
  wantAsset: `0x${string}`,
  refundReceiver = user().address,
) {
  const shares = 10n * 10n ** BigInt(deployment.plan.decimals)
  const request = { user: user(), deployment, wantAsset, shares, refundReceiver }
  return (await submitWithdrawal(world, request)).orderIndex
}

function statusOf({ current }: VaultDeployment, orderIndex: bigint) {
  return worldClient(world, 1).readContract({
    address: current.queue,
    abi: withdrawQueueAbi,
    functionName: 'getOrderStatus',
    args: [orderIndex],
  })
}

function readRate({ current }: VaultDeployment) {
  return worldClient(world, 1).readContract({
    address: current.accountant,
    abi: accountantAbi,
    functionName: 'getRate',
  })
}

async function readState() {
  const words = await worldClient(world, 1).readContract({
    address: prime.current.accountant,
    abi: accountantAbi,
    functionName: 'accountantState',
  })
  return { isPaused: words[8] }
}
