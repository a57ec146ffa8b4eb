import { encodeFunctionData, parseSignature } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldClient } from '../../devnet/world.ts'
import { revertChains } from '../support/revertChains.ts'
import { tokenAbi } from './localAbis.ts'
import { makeQuote, type Permit, signPermit, signQuote, submitWithPermitCall } from './orders.ts'
import { revertOf } from './revertOf.ts'
import { approve, send, startStationWorld, station, tokens, user } from './stationWorld.ts'

const amount = 100_000_000n
const NO_PERMIT: Permit = { deadline: 0n, signature: `0x${'11'.repeat(64)}1b` }

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())
revertChains(() => [worldClient(world, 1)])

describe('submitOrderWithPermit', () => {
  test('default: the permit pays, nothing stays allowed', async () => {
    const permit = await signPermit(world, 1, { token: tokens.USDC, amount })
    await send(world, 1, await submission(permit))
    expect(await allowance()).toBe(0n)
  })

  test('behavior: a permit that was already used does no harm', async () => {
    const permit = await signPermit(world, 1, { token: tokens.USDC, amount })
    await usePermit(permit)
    const receipt = await send(world, 1, await submission(permit))
    expect(receipt.status).toBe('success')
  })

  test('behavior: where an allowance covers the offer, a token without permits is paid too', async () => {
    await approve(world, 1, tokens.USDT, amount)
    const receipt = await send(world, 1, await submission(NO_PERMIT, tokens.USDT))
    expect(receipt.status).toBe('success')
  })

  test('error: no permit and too small an allowance', async () => {
    await approve(world, 1, tokens.USDC, amount - 1n)
    const call = await submission(NO_PERMIT)
    expect(await revertOf(world, 1, call)).toEqual(['PermitFailedAndAllowanceTooLow'])
  })

  test('error: a permit for another amount', async () => {
    const permit = await signPermit(world, 1, { token: tokens.USDC, amount: amount + 1n })
    const call = await submission(permit)
    expect(await revertOf(world, 1, call)).toEqual(['PermitFailedAndAllowanceTooLow'])
  })
})

describe('approve', () => {
  test('error: one token changes an allowance only from or to zero', async () => {
    await approve(world, 1, tokens.USDT, 1n)
    await expect(approve(world, 1, tokens.USDT, 2n)).rejects.toThrow()
    await approve(world, 1, tokens.USDT, 0n)
    const receipt = await approve(world, 1, tokens.USDT, 2n)
    expect(receipt.status).toBe('success')
  })
})

async function submission(permit: Permit, offerAsset = tokens.USDC) {
  const wantAsset = offerAsset === tokens.USDC ? tokens.USDG : tokens.USDC
  const quote = await makeQuote(world, 1, { route: { destEID: 30_101, offerAsset, wantAsset } })
  const { signature } = await signQuote(1, quote)
  return submitWithPermitCall(quote, signature, { permit })
}

function usePermit({ deadline, signature }: Permit) {
  const { r, s, v } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'permit',
    args: [user().address, station, amount, deadline, Number(v), r, s],
  })
  return send(world, 1, { address: tokens.USDC, account: user(5), data })
}

function allowance(): Promise<bigint> {
  return worldClient(world, 1).readContract({
    address: tokens.USDC,
    abi: tokenAbi,
    functionName: 'allowance',
    args: [user().address, station],
  })
}
