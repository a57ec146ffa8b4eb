import { formatUnits, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DEVNET_ACTORS,
  DEVNET_DIRECT_WITHDRAWER,
  DEVNET_SOLVER,
  userAt,
} from '../../devnet/accounts.ts'
import type { OrganizationSettings } from '../../domain/access/organizations.ts'
import {
  type EarnClient,
  earnClient,
  type PreparedBody,
  type PreviewedBody,
} from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { encodeStructured, signPermitData } from '../support/quotes.ts'
import {
  authorize,
  authorizeShares,
  DEPOSITS,
  expiryOf,
  holdings,
  organizationKey,
  previewFee,
  process,
  processOrder,
  raiseRate,
  rateInBase,
  sendPrepared,
  submit,
} from './earnJourneys.ts'

/**
 * Deposits and withdrawals with the API's answers alone: its transactions are sent unchanged, and every
 * balance equals the result of the contracts' arithmetic, to the unit.
 */

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld([1, 999])
  // So that a share is worth more than a unit of the asset.
  for (const [name, chainId] of [
    ['Harbor Dollar', 1],
    ['Harbor Prime', 1],
    ['Harbor Classic', 1],
    ['Harbor Gold', 999],
  ] as const)
    await raiseRate(vault(name, chainId))
})
afterAll(() => earn?.stop())

describe('deposits', () => {
  test.each(Object.keys(DEPOSITS))('%s', async (name) => {
    const deposit = DEPOSITS[name]
    if (!deposit) throw new Error('a deposit')
    const { asset, amount, user, fee = 0n } = deposit
    const client = vault(deposit.name, deposit.chainId)
    const token = client.tokenOf(asset)
    const { vault: share, current } = client.deployment
    const to = deposit.to ?? user.address
    await deposit.before?.(client, deposit)
    const permit = await authorize(client, deposit)
    const before = await holdings(client, { token, share, user: user.address, to })
    const rate = await client.rate(token)

    const { status, body } = await client.ask<PreviewedBody>('/v2/earn/deposit', {
      depositAsset: token,
      depositAmount: String(amount),
      userAddress: user.address,
      ...(deposit.to ? { to: deposit.to } : {}),
      ...permit,
      responseFormat: 'full',
      simulate: 'true',
    })
    expect([status, body]).toMatchObject([200, { transaction: { value: '0' } }])
    expect(body.transaction.to.toLowerCase()).toBe(current.depositor.toLowerCase())
    expect(encodeStructured(body.transaction)).toBe(body.transaction.data)
    const receipt = await sendPrepared(client, user, body)
    // A node estimates somewhat more than is used.
    expect(Number(body.preview.gasLimit)).toBeGreaterThan(1.15 * Number(receipt.gasUsed))
    expect(Number(body.preview.gasLimit)).toBeLessThan(2 * Number(receipt.gasUsed))

    const after = await holdings(client, { token, share, user: user.address, to })
    const shares = ((amount - fee) * 10n ** BigInt(client.deployment.plan.decimals)) / rate
    expect(after.user - before.user).toBe(-amount)
    expect(after.vault - before.vault).toBe(amount - fee)
    expect(after.fees - before.fees).toBe(fee)
    expect(after.shares - before.shares).toBe(shares)
    // Half a percent less than the shares, by the server's setting.
    expect(body.transaction.args[2]).toBe(String((shares * 9_950n) / 10_000n))
    const { gasLimit: _, ...preview } = body.preview
    expect(preview).toEqual({
      expectedShares: String(shares),
      minimumShares: body.transaction.args[2],
      fee: { amount: String(fee), asset: token },
      exchangeRateToBase: formatUnits(await rateInBase(client), client.deployment.plan.decimals),
      validUntil: expiryOf(body.transaction.args, permit),
    })
  })

  test("behavior: an organization's slippage and distributor code", async () => {
    const code = '0x6163' as const
    const key = await keyOf({ slippageBps: 7, defaultDistributorCode: code })
    const client = vault('Harbor Dollar', 1, key)
    const user = userAt(6)
    const amount = 44_444_444n
    const usdc = client.tokenOf('USDC')
    const { body } = await client.ask<PreparedBody>('/v2/earn/deposit', {
      depositAsset: usdc,
      depositAmount: String(amount),
      userAddress: user.address,
      responseFormat: 'structured',
    })
    const shares = (amount * 10n ** 6n) / (await client.rate(usdc))
    expect(body.transaction.args.slice(2, 5)).toEqual([
      String((shares * 9_993n) / 10_000n),
      user.address,
      code,
    ])
    expect(body.transaction.data).toBeUndefined()
  })

  test('behavior: a gas limit before the approval; none where the call would fail', async () => {
    const client = vault('Harbor Dollar', 1)
    const user = userAt(7)
    const ask = (parameters: Record<string, string>) =>
      client.ask<PreviewedBody>('/v2/earn/deposit', {
        depositAsset: client.tokenOf('USDC'),
        depositAmount: '12000000',
        userAddress: user.address,
        ...parameters,
      })
    const { body } = await ask({})
    await client.approve(user, client.tokenOf('USDC'), [
      client.deployment.current.depositor,
      12_000_000n,
    ])
    await sendPrepared(client, user, body)
    const permitDeadline = String(Math.floor(Date.now() / 1_000) + 600_000)
    const forged = await ask({ permitSignature: `0x${'11'.repeat(64)}1b`, permitDeadline })
    expect([forged.status, forged.body.preview.gasLimit]).toEqual([200, null])
  })

  test('behavior: the native coin is nowhere offered', async () => {
    const client = vault('Harbor Ether', 1)
    const { status, body } = await client.ask<{ error: { details: { reason: string }[] } }>(
      '/v2/earn/deposit',
      {
        depositAsset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
        depositAmount: '1',
        userAddress: userAt(0).address,
      },
    )
    expect([status, body.error.details.at(-1)?.reason]).toEqual([400, 'ASSET_NOT_DEPOSITABLE'])
  })
})

describe('withdrawals', () => {
  test('queued, with other receiver and refund receiver, and settled by the solver', async () => {
    const client = vault('Harbor Prime', 1)
    const [user, receiver, refundReceiver] = [userAt(5), userAt(2), userAt(3)]
    const want = client.tokenOf('USDC')
    await client.giveShares(user, 'USDS', parseUnits('900', 18))
    const shareAmount = parseUnits('333.333333333333333333', 18)
    const { vault: share, current } = client.deployment
    const { body } = await client.ask<PreviewedBody>('/v2/earn/withdraw', {
      wantAsset: want,
      shareAmount: String(shareAmount),
      userAddress: user.address,
      receiver: receiver.address,
      refundReceiver: refundReceiver.address,
      responseFormat: 'full',
      simulate: 'true',
    })
    expect(body.transaction).toMatchObject({ functionName: 'submitOrder', value: '0' })
    expect(body.transaction.to.toLowerCase()).toBe(current.queue.toLowerCase())
    expect(encodeStructured(body.transaction)).toBe(body.transaction.data)
    const expected = body.preview

    // The approval of the shares comes first.
    await client.approve(user, share, [current.queue, shareAmount])
    await sendPrepared(client, user, body)
    const preview = await previewFee(client, { want, shareAmount })
    const before = await client.balance(want, receiver.address)
    const fees = await client.balance(share, DEVNET_ACTORS.feeRecipient.address)
    const processed = await processOrder(client)

    const rate = await client.rate(want)
    const paid = ((shareAmount - processed.feeAmount) * rate) / 10n ** 18n
    expect(processed.assetsOut).toBe(paid)
    expect(expected).toMatchObject({
      expectedAssets: String(paid),
      minimumAssets: null,
      fee: { amount: String(processed.feeAmount), asset: share },
      exchangeRateToBase: formatUnits(await rateInBase(client), 18),
      validUntil: null,
    })
    expect((await client.balance(want, receiver.address)) - before).toBe(paid)
    expect((await client.balance(share, DEVNET_ACTORS.feeRecipient.address)) - fees).toBe(
      processed.feeAmount,
    )
    expect(preview).toEqual({
      feeAmount: formatUnits(processed.feeAmount, 18),
      offerFeePercentage: { bps: 10, percentage: '0.1000' },
      flatFee: '0.05',
    })
  })

  test('cancelled by the holder of the receipt, and refunded when the queue comes to it', async () => {
    const client = vault('Harbor Dollar', 1)
    const [user, receiver, refundReceiver] = [userAt(0), userAt(2), userAt(3)]
    const { vault: share } = client.deployment
    await client.giveShares(user, 'USDC', 50_000_000n)
    const orderIndex = await submit(client, user, {
      wantAsset: client.tokenOf('USDT'),
      shareAmount: '7000000',
      receiver: receiver.address,
      refundReceiver: refundReceiver.address,
    })
    const cancel = () =>
      client.ask<PreparedBody & { error: { details: { reason: string; metadata: object }[] } }>(
        '/v2/earn/withdraw/cancel',
        { orderIndex, responseFormat: 'full', simulate: 'true' },
      )
    const { status, body } = await cancel()
    expect([status, body.transaction.functionName, body.transaction.args]).toEqual([
      200,
      'cancelOrder',
      [orderIndex],
    ])
    expect(encodeStructured(body.transaction)).toBe(body.transaction.data)
    // The chain requires the holder of the receipt, not the sender of the request.
    expect((await client.send(user, body.transaction)).status).toBe('reverted')
    expect((await client.send(receiver, body.transaction)).status).toBe('success')
    const again = await cancel()
    expect([again.status, again.body.error.details.at(-1)]).toMatchObject([
      400,
      {
        reason: 'WITHDRAWAL_NOT_PENDING',
        metadata: { status: 'PENDING_REFUND', cancellableBy: receiver.address },
      },
    ])
    const before = await client.balance(share, refundReceiver.address)
    await process(client)
    expect((await client.balance(share, refundReceiver.address)) - before).toBe(7_000_000n)
    const done = await cancel()
    expect(done.body.error.details.at(-1)).toMatchObject({ metadata: { status: 'REFUNDED' } })
  })

  test('submitted and settled in one transaction, for an organization that settles on submit', async () => {
    const user = DEVNET_DIRECT_WITHDRAWER
    const client = vault('Harbor Dollar', 1, await keyOf({ settleOnSubmit: true }))
    const want = client.tokenOf('USDC')
    await client.giveShares(user, 'USDC', 80_000_000n)
    const ask = (by = client) =>
      by.ask<PreviewedBody>('/v2/earn/withdraw', {
        wantAsset: want,
        shareAmount: '20000000',
        userAddress: user.address,
        responseFormat: 'full',
      })
    const { body } = await ask()
    expect(body.transaction.functionName).toBe('submitOrderAndProcessAll')
    // Without that setting the same account's request only waits in the queue.
    const queued = await ask(vault('Harbor Dollar', 1))
    expect(queued.body.transaction.functionName).toBe('submitOrder')
    const { vault: share, current } = client.deployment
    await client.approve(user, share, [current.queue, 20_000_000n])
    const before = await client.balance(want, user.address)
    const preview = await previewFee(client, { want, shareAmount: 20_000_000n })
    const rate = await client.rate(want)
    await sendPrepared(client, user, body)
    const fee = parseUnits(preview.feeAmount, 6)
    const paid = (await client.balance(want, user.address)) - before
    expect(paid).toBe(((20_000_000n - fee) * rate) / 10n ** 6n)
    expect(body.preview).toMatchObject({
      expectedAssets: String(paid),
      minimumAssets: null,
      fee: { amount: String(fee), asset: share },
    })

    // An earlier request that the vault cannot pay would revert the whole transaction.
    await submit(client, userAt(0), {
      wantAsset: client.tokenOf('USDG'),
      shareAmount: String(await client.balance(share, userAt(0).address)),
    })
    expect((await ask()).body.transaction.functionName).toBe('submitOrder')
  })

  test('at once, for an account that the teller lets', async () => {
    const client = vault('Harbor Classic', 1)
    const [user, receiver] = [DEVNET_SOLVER, userAt(6)]
    const want = client.tokenOf('USDC')
    await client.giveShares(user, 'USDC', 90_000_000n)
    const { vault: share, current } = client.deployment
    const shares = await client.balance(share, user.address)
    const { body } = await client.ask<PreviewedBody>('/v2/earn/withdraw', {
      wantAsset: want,
      shareAmount: String(shares),
      userAddress: user.address,
      receiver: receiver.address,
      responseFormat: 'full',
      simulate: 'true',
    })
    const assets = (shares * (await client.rate(want))) / 10n ** 6n
    expect(body.transaction).toMatchObject({ functionName: 'bulkWithdraw', value: '0' })
    expect(body.transaction.to.toLowerCase()).toBe(current.teller.toLowerCase())
    expect(body.transaction.args[2]).toBe(String(assets))
    const before = await client.balance(want, receiver.address)
    // No approval of the shares.
    await sendPrepared(client, user, body)
    expect((await client.balance(want, receiver.address)) - before).toBe(assets)
    expect(body.preview).toMatchObject({
      expectedAssets: String(assets),
      minimumAssets: String(assets),
      fee: { amount: '0', asset: share },
      validUntil: null,
    })
    expect(await client.balance(share, user.address)).toBe(0n)
  })

  test('by a permit of the shares, to the queue', async () => {
    const client = vault('Harbor Dollar', 1)
    const user = userAt(4)
    const { vault: share, current } = client.deployment
    const shareAmount = '6000000'
    await client.giveShares(user, 'USDC', 20_000_000n)
    const { body, status } = await authorizeShares(client, user, { amount: shareAmount })
    expect([status, body.spenderAddress, body.method]).toEqual([200, current.queue, 'permit'])
    if (!body.permitData) throw new Error('a permit')
    const permitSignature = await signPermitData(user, body.permitData)
    const permitDeadline = body.permitData.deadline
    const withdrawal = await client.ask<PreviewedBody>('/v2/earn/withdraw', {
      wantAsset: client.tokenOf('USDC'),
      shareAmount,
      userAddress: user.address,
      permitSignature,
      permitDeadline,
      responseFormat: 'full',
      simulate: 'true',
    })
    const until = new Date(Number(permitDeadline) * 1_000)
    expect(withdrawal.body.preview.validUntil).toBe(until.toISOString())
    const before = await client.balance(share, current.queue)
    await sendPrepared(client, user, withdrawal.body)
    expect((await client.balance(share, current.queue)) - before).toBe(BigInt(shareAmount))
  })

  test('the shares need an approval or a permit, unless they are paid at once', async () => {
    const dollars = vault('Harbor Dollar', 1)
    const user = userAt(2)
    const approved = { amount: '5000000' }
    await dollars.approve(user, dollars.deployment.vault, [
      dollars.deployment.current.queue,
      5_000_000n,
    ])
    expect((await authorizeShares(dollars, user, approved)).body.method).toBe('already_approved')
    expect((await authorizeShares(dollars, user, { amount: '5000001' })).body.method).toBe('permit')

    const classic = vault('Harbor Classic', 1)
    const ofSolver = (amount: bigint, token: 'USDC' | 'USDG') =>
      authorizeShares(classic, DEVNET_SOLVER, {
        amount: String(amount),
        wantAsset: classic.tokenOf(token),
      })
    await classic.giveShares(userAt(3), 'USDC', 50_000_000n)
    const { vault: share } = classic.deployment
    const held = await classic.balance(classic.tokenOf('USDC'), share)
    expect((await ofSolver(1_000_000n, 'USDC')).body.method).toBe('already_approved')
    // More than the vault holds has to wait in the queue.
    expect((await ofSolver(2n * held, 'USDC')).body.method).toBe('permit')
    expect((await authorizeShares(classic, userAt(3), { amount: '1000000' })).body.method).toBe(
      'permit',
    )
  })

  test('an order of the older generation', async () => {
    const client = vault('Harbor Classic', 1)
    const user = userAt(1)
    const want = client.tokenOf('USDC')
    const shareAmount = 30_000_000n
    await submit(client, user, { wantAsset: want, shareAmount: String(shareAmount) })
    const preview = await previewFee(client, { want, shareAmount })
    const before = await client.balance(want, user.address)
    await process(client)
    const fee = parseUnits(preview.feeAmount, 6)
    expect((await client.balance(want, user.address)) - before).toBe(
      ((shareAmount - fee) * (await client.rate(want))) / 10n ** 6n,
    )
  })
})

function vault(name: string, chainId: number, apiKey?: string): EarnClient {
  const { world, api } = earn
  return earnClient({ world, url: api.url }, { name, chainId, ...(apiKey ? { apiKey } : {}) })
}

const keyOf = (settings: OrganizationSettings) => organizationKey(earn.api.administrator, settings)
