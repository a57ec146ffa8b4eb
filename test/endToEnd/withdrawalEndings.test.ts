import { getAddress, parseEther, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import type { TestProduct } from '../support/product.ts'
import { type WithdrawalState, watchWithdrawal } from '../support/watchWithdrawal.ts'
import {
  NOTHING,
  type PlacedOrder,
  putContract,
  type QueueClient,
  queueClient,
  readOverGraphql,
  startWithdrawalProduct,
  waiting,
} from '../support/withdrawalProduct.ts'
import { testWithdrawalVolumes } from './withdrawalVolumes.ts'

/**
 * Every way in which a withdrawal request can end, with the API's answer after each step. One share is
 * one dollar here; all figures are computed by hand.
 */

const [user, other] = [userAt(0), userAt(1)]
const { outcast } = DEVNET_ACTORS
/** The queue's fee on 100 shares for USDC: 10 bps, and 0.05 dollars. */
const FEE_OF_100 = parseEther('0.15')
const NOT_WAITING = { queuePosition: null, sharesAhead: null }
const REFUNDED = { status: 'REFUNDED', ...NOTHING, ...NOT_WAITING }

let product: TestProduct
let prime: QueueClient
const ended: PlacedOrder[] = []

beforeAll(async () => {
  product = await startWithdrawalProduct()
  prime = queueClient(product, 'Harbor Prime')
  await prime.deposit(user, 'USDC', parseUnits('10000', 6))
  await prime.deposit(other, 'USDG', parseUnits('1000', 6))
  await prime.castOut()
})
afterAll(() => product?.stop())

/** 100 shares for USDC by default. */
function submit(wish: Partial<Parameters<QueueClient['submit']>[0]> = {}) {
  return prime.submit({ shares: parseEther('100'), ...wish })
}

describe('an order', () => {
  const placed: PlacedOrder[] = []
  const place: typeof submit = async (wish) => {
    const order = await submit(wish)
    placed.push(order)
    return order
  }
  afterEach(async () => {
    for (const order of placed.splice(0)) {
      const { status } = (await prime.read(order)) ?? {}
      expect(status).toBe(await prime.statusOnChain(order))
      ended.push(order)
    }
  })

  test('paid in line', async () => {
    const first = await place()
    const second = await place({ shares: parseEther('50'), user: other, want: 'USDG' })
    const [pollFirst, pollSecond] = [prime.poll(first), prime.poll(second)]
    const { vault, current } = prime.deployment
    const request = await prime.until(first, waiting(1, '0'))
    expect(request).toEqual({
      ...waiting(1, '0'),
      id: `1:${getAddress(current.queue)}:${first.orderIndex}`,
      orderIndex: String(first.orderIndex),
      chainId: 1,
      vaultAddress: getAddress(vault),
      userAddress: user.address,
      receiverAddress: user.address,
      refundReceiverAddress: user.address,
      wantAsset: request.wantAssetAddress,
      wantAssetAddress: request.wantAsset,
      offerAmount: String(parseEther('100')),
      orderAmount: String(parseEther('100')),
      createdAt: first.createdAt,
      updatedAt: first.createdAt,
      txHash: first.txHash,
      isSubmittedViaSignature: false,
      isForceProcessed: false,
      isMarkedForRefund: false,
      isMarkedForRefundByUser: false,
      didOrderFailTransfer: false,
      didOrderFailRefund: false,
      expectedAssets: String(parseUnits('99.85', 6)),
      expectedBy: null,
      blockedBy: null,
      settlementTxHash: null,
    })
    await prime.until(second, waiting(2, '100'))

    const before = await prime.balance('USDC', user.address)
    await prime.process(1)
    const { transactions } = await prime.client.getBlock()
    const paid = await prime.until(first, { status: 'COMPLETE' })
    const at = await prime.newestBlockTime()
    expect(paid).toEqual({
      ...request,
      status: 'COMPLETE',
      ...NOT_WAITING,
      fulfilledAt: at,
      updatedAt: at,
      feeAmount: String(FEE_OF_100),
      assetsOut: String(parseUnits('99.85', 6)),
      expectedAssets: null,
      expectedBy: null,
      settlementTxHash: transactions[0],
    })
    expect((await prime.balance('USDC', user.address)) - before).toBe(parseUnits('99.85', 6))
    await prime.until(second, waiting(1, '0'))

    await prime.process(1)
    // The queue charges no fee for USDG.
    await prime.until(second, {
      status: 'COMPLETE',
      ...NOT_WAITING,
      feeAmount: '0',
      assetsOut: '50000000',
      isForceProcessed: false,
    })
    expect(await Promise.all([pollFirst.stop(), pollSecond.stop()])).toEqual([
      ['PENDING', 'COMPLETE'],
      ['PENDING', 'COMPLETE'],
    ])
  })

  test('pre-filled, out of line', async () => {
    const [first, second, third] = [
      await place(),
      await place({ shares: parseEther('10') }),
      await place(),
    ]
    await prime.until(third, waiting(3, '110'))
    await prime.forceProcess(second)
    const at = await prime.newestBlockTime()
    const paid = await prime.until(second, {
      status: 'COMPLETE',
      isForceProcessed: true,
      fulfilledAt: at,
      ...NOT_WAITING,
      // 10 bps of 10, and 0.05 dollars.
      feeAmount: String(parseEther('0.06')),
      assetsOut: String(parseUnits('9.94', 6)),
    })
    await prime.until(first, waiting(1, '0'))
    await prime.until(third, waiting(2, '100'))
    await prime.process(2)
    await prime.until(first, { status: 'COMPLETE', isForceProcessed: false })
    await prime.until(third, waiting(1, '0'))
    // The queue skipped it without an event.
    expect(await prime.read(second)).toEqual(paid)
    await prime.process(1)
    await prime.until(third, { status: 'COMPLETE', ...NOT_WAITING })
  })

  test('cancelled by its holder', async () => {
    const [first, second] = [await place({ refundReceiver: other.address }), await place()]
    const poll = prime.poll(first)
    await prime.until(second, waiting(2, '100'))
    await prime.cancel(user, first)
    const at = await prime.newestBlockTime()
    await prime.until(first, {
      ...waiting(1, '0'),
      status: 'PENDING_REFUND',
      updatedAt: at,
      isMarkedForRefund: true,
      isMarkedForRefundByUser: true,
    })
    // It is still processed before the other, but nothing is paid for it.
    await prime.until(second, waiting(2, '0'))
    const before = await prime.balance('shares', other.address)
    await prime.process(1)
    await prime.until(first, {
      ...REFUNDED,
      updatedAt: await prime.newestBlockTime(),
      isMarkedForRefund: true,
      isMarkedForRefundByUser: true,
      didOrderFailTransfer: false,
      didOrderFailRefund: false,
      refundReceiverAddress: other.address,
    })
    expect((await prime.balance('shares', other.address)) - before).toBe(parseEther('100'))
    await prime.until(second, waiting(1, '0'))
    await prime.process(1)
    await prime.until(second, { status: 'COMPLETE' })
    expect(await poll.stop()).toEqual(['PENDING', 'PENDING_REFUND', 'REFUNDED'])
  })

  test('refunded by the operator', async () => {
    const order = await place()
    const poll = prime.poll(order)
    await prime.until(order, waiting(1, '0'))
    await prime.refund(order)
    const marked = { isMarkedForRefund: true, isMarkedForRefundByUser: false, ...NOTHING }
    await prime.until(order, { status: 'PENDING_REFUND', queuePosition: 1, ...marked })
    await prime.process(1)
    await prime.until(order, { status: 'REFUNDED', ...NOT_WAITING, ...marked })
    expect(await poll.stop()).toEqual(['PENDING', 'PENDING_REFUND', 'REFUNDED'])
  })

  test('its transfer fails, and it is refunded', async () => {
    const order = await place({ receiver: outcast.address })
    const poll = prime.poll(order)
    await prime.until(order, { ...waiting(1, '0'), receiverAddress: outcast.address })
    const before = await prime.balance('shares', user.address)
    await prime.process(1)
    await prime.until(order, {
      // The API omits the payout and fee that the queue would have applied.
      ...REFUNDED,
      didOrderFailTransfer: true,
      didOrderFailRefund: false,
      isMarkedForRefund: false,
    })
    expect((await prime.balance('shares', user.address)) - before).toBe(parseEther('100'))
    expect(await poll.stop()).toEqual(['PENDING', 'REFUNDED'])
  })

  test.each([
    ['its transfer fails, and its refund too', { receiver: outcast.address }, true],
    ['its fee exceeds it, and its refund fails', { shares: parseEther('0.04') }, false],
  ])('%s: its shares go to recovery', async (_, wish, didOrderFailTransfer) => {
    const order = await place({ ...wish, refundReceiver: outcast.address })
    await prime.until(order, waiting(1, '0'))
    const recovery = await prime.recovery()
    const before = await prime.balance('shares', recovery)
    await prime.process(1)
    await prime.until(order, {
      ...REFUNDED,
      didOrderFailTransfer,
      didOrderFailRefund: true,
      isMarkedForRefund: false,
    })
    const shares = 'shares' in wish ? wish.shares : parseEther('100')
    expect((await prime.balance('shares', recovery)) - before).toBe(shares)
  })

  test('cancelled, and its refund fails: its shares go to recovery', async () => {
    const order = await place({ refundReceiver: outcast.address })
    await prime.cancel(user, order)
    await prime.until(order, { status: 'PENDING_REFUND', queuePosition: 1, sharesAhead: '0' })
    await prime.process(1)
    await prime.until(order, {
      ...REFUNDED,
      didOrderFailTransfer: false,
      didOrderFailRefund: true,
      isMarkedForRefundByUser: true,
    })
  })

  test('its fee exceeds it, and it is refunded', async () => {
    const order = await place({ shares: parseEther('0.04') })
    await prime.until(order, waiting(1, '0'))
    const before = await prime.balance('shares', user.address)
    await prime.process(1)
    await prime.until(order, {
      ...REFUNDED,
      isMarkedForRefund: false,
      didOrderFailTransfer: false,
      didOrderFailRefund: false,
    })
    expect((await prime.balance('shares', user.address)) - before).toBe(parseEther('0.04'))
  })

  test('its receipt is passed on, twice, and its last holder is paid', async () => {
    const order = await place()
    await prime.until(order, { receiverAddress: user.address })
    await prime.passOn(user, other.address, order)
    await prime.until(order, { ...waiting(1, '0'), receiverAddress: other.address })
    const heir = userAt(2)
    await prime.passOn(other, heir.address, order)
    await prime.until(order, { receiverAddress: heir.address })
    const before = await prime.balance('USDC', heir.address)
    await prime.process(1)
    await prime.until(order, {
      status: 'COMPLETE',
      userAddress: user.address,
      receiverAddress: heir.address,
      refundReceiverAddress: user.address,
    })
    expect((await prime.balance('USDC', heir.address)) - before).toBe(parseUnits('99.85', 6))
  })

  describe('whose receiver acts while it is handed the receipt', () => {
    test('by passing it on: that is whom the order is of', async () => {
      const receiver = getAddress(`0x${'5e'.repeat(20)}`)
      await putContract(prime, 'PassingReceiver', receiver)
      const order = await place({ receiver })
      await prime.until(order, { ...waiting(1, '0'), receiverAddress: user.address })
      await prime.process(1)
      await prime.until(order, { status: 'COMPLETE', receiverAddress: user.address })
    })

    test('by cancelling it: it never was anything but cancelled', async () => {
      const receiver = getAddress(`0x${'5f'.repeat(20)}`)
      await putContract(prime, 'CancellingReceiver', receiver)
      const order = await place({ receiver })
      const poll = prime.poll(order)
      await prime.until(order, {
        status: 'PENDING_REFUND',
        receiverAddress: receiver,
        offerAmount: String(parseEther('100')),
        isMarkedForRefundByUser: true,
        queuePosition: 1,
        createdAt: order.createdAt,
      })
      await prime.process(1)
      await prime.until(order, { status: 'REFUNDED' })
      expect(await poll.stop()).toEqual(['PENDING_REFUND', 'REFUNDED'])
    })
  })
})

describe('an order of the older generation', () => {
  test('paid, with the fee that the event of its queue lacks; refunded', async () => {
    const classic = queueClient(product, 'Harbor Classic')
    await classic.deposit(other, 'USDC', parseUnits('300', 6))
    const shares = parseUnits('200.000001', 6)
    const paid = await classic.submit({ user: other, shares })
    const cancelled = await classic.submit({ user: other, shares: parseUnits('50', 6) })
    const standing = { status: 'PENDING', queuePosition: 2, sharesAhead: String(shares) }
    await classic.until(cancelled, standing)
    await classic.cancel(other, cancelled)
    await classic.until(cancelled, { ...standing, status: 'PENDING_REFUND' })
    await classic.process(2)
    // 10 bps, rounded up.
    const fee = 200_001n
    await classic.until(paid, {
      status: 'COMPLETE',
      feeAmount: String(fee),
      assetsOut: String(shares - fee),
    })
    await classic.until(cancelled, { status: 'REFUNDED', ...NOTHING })
    for (const order of [paid, cancelled])
      expect((await classic.read(order))?.status).toBe(await classic.statusOnChain(order))
  })
})

describe('the subscription', () => {
  test('behavior: it shows each change of an order, and of the orders before it', async () => {
    const [first, second] = [await submit(), await submit({ shares: parseEther('20') })]
    const queue = getAddress(prime.deployment.current.queue)
    // The subscription starts before the order exists.
    const { states, failures } = watchWithdrawal(
      product.url,
      `1:${queue}:${second.orderIndex + 1n}`,
    )
    const expected: WithdrawalState[] = []
    const expectState = async (deed: () => Promise<unknown>, ...state: [...WithdrawalState]) => {
      await deed()
      const [status, receiver, position, ahead] = state
      expected.push([status, receiver, position, ahead && String(parseEther(ahead))])
      await expect.poll(() => states).toEqual(expected)
    }
    let third: PlacedOrder | undefined
    const place = async () => {
      third = await submit({ shares: parseEther('30') })
    }
    await expectState(place, 'PENDING', user.address, 3, '120')
    await expectState(() => prime.forceProcess(second), 'PENDING', user.address, 2, '100')
    await expectState(() => prime.cancel(user, first), 'PENDING', user.address, 2, '0')
    const passOn = () => prime.passOn(user, other.address, third as PlacedOrder)
    await expectState(passOn, 'PENDING', other.address, 2, '0')
    await expectState(() => prime.process(2), 'PENDING', other.address, 1, '0')
    await submit({ shares: parseEther('40') })
    await expectState(() => prime.process(1), 'COMPLETE', other.address, null, null)
    await prime.process(1)
    expect(failures).toEqual([])
  })
})

describe('all of them', () => {
  test('behavior: newest first, and by their status', async () => {
    await prime.untilIndexed()
    const { body } = await prime.get('chainId = 1')
    const indices = body.withdrawalRequests.map(({ orderIndex }) => Number(orderIndex))
    expect(indices).toEqual(indices.toSorted((a, b) => b - a))
    for (const { orderIndex } of ended) expect(indices).toContain(Number(orderIndex))
    for (const status of ['PENDING', 'PENDING_REFUND', 'COMPLETE', 'REFUNDED']) {
      const { body: some } = await prime.get(`status = ${status}`)
      expect(some.withdrawalRequests).toEqual(
        body.withdrawalRequests.filter((request) => request.status === status),
      )
    }
  })

  test('behavior: over GraphQL, by their ids, they are the same', async () => {
    const { body } = await prime.get(`userAddress = ${user.address}`)
    const [one] = body.withdrawalRequests
    const names = Object.keys(one ?? {}).join(' ')
    const fields = names.replace('blockedBy', 'blockedBy { reason requestId }')
    for (const request of body.withdrawalRequests) {
      const answer = await readOverGraphql(product.url, request.id.toLowerCase(), fields)
      expect(answer).toMatchObject({ data: { withdrawalRequest: request } })
    }
  })
})

testWithdrawalVolumes(() => product)
