import fc from 'fast-check'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { keyOf, listedWithdrawals, QUEUES, STATUSES, USERS } from '../support/listedWithdrawals.ts'
import { setReady } from '../support/testIndex.ts'
import {
  addressOf,
  outcomeOf,
  START,
  standingOf,
  statusOf,
  withdrawalAddressBook,
} from '../support/withdrawOrders.ts'

let api: TestApi
const orders = listedWithdrawals(() => api)
const { rows, add, get, walk, matching } = orders

beforeAll(async () => {
  api = await startTestApi({ addressBook: withdrawalAddressBook })
  await orders.addMixed()
})
afterAll(() => api?.stop())

test('default: a request has every value of its events, as OpenAPI describes it', async () => {
  const [row] = await add(1, () => ({
    block_timestamp: START - 500,
    last_block_timestamp: START - 300,
    paid_at: START - 300,
    user_address: addressOf('payer'),
    receiver: addressOf('heir'),
    refund_receiver: addressOf('refunded'),
    offer_amount: '123456789012345678901234567890',
    is_submitted_via_signature: true,
    is_paid: true,
    is_force_processed: true,
    fee_amount: '77',
    assets_out: '123456789012',
    settlement_transaction_hash: `0x${'5e'.repeat(32)}`,
  }))
  if (!row) throw new Error('a row')
  const answer = await get(`userAddress = ${addressOf('payer')}`)
  const asset = getAddress(addressOf('asset'))
  expect(answer.body).toEqual({
    withdrawalRequests: [
      {
        id: `1:${getAddress(row.queue)}:${row.order_index}`,
        orderIndex: String(row.order_index),
        status: 'COMPLETE',
        userAddress: getAddress(addressOf('payer')),
        receiverAddress: getAddress(addressOf('heir')),
        refundReceiverAddress: getAddress(addressOf('refunded')),
        vaultAddress: getAddress(addressOf('both')),
        chainId: 1,
        wantAsset: getAddress(addressOf('asset')),
        wantAssetAddress: getAddress(addressOf('asset')),
        offerAmount: '123456789012345678901234567890',
        orderAmount: '123456789012345678901234567890',
        assetsOut: '123456789012',
        feeAmount: '77',
        expectedAssets: null,
        blockedBy: null,
        expectedBy: null,
        settlementTxHash: `0x${'5e'.repeat(32)}`,
        createdAt: '2023-11-14T22:05:00.000Z',
        fulfilledAt: '2023-11-14T22:08:20.000Z',
        updatedAt: '2023-11-14T22:08:20.000Z',
        txHash: row.transaction_hash,
        isSubmittedViaSignature: true,
        isForceProcessed: true,
        isMarkedForRefund: false,
        isMarkedForRefundByUser: false,
        didOrderFailTransfer: false,
        didOrderFailRefund: false,
        queuePosition: null,
        sharesAhead: null,
      },
    ],
    nextPageToken: null,
    // No node answers here, so that the shares are not among them.
    tokenMetadata: {
      [`1:${asset}`]: expect.objectContaining({ symbol: 'ASSET' }),
      [asset]: expect.objectContaining({ chain_id: '1' }),
    },
  })
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  const same = await getJson(answer.url, { 'if-none-match': answer.headers.get('etag') ?? '' })
  expect(same.status).toBe(304)
})

test('behavior: every request has its status and its place in the queue', async () => {
  const all = await Promise.all(QUEUES.map(({ vault }) => walk(`vaultAddress = ${vault}`)))
  const listed = new Map(all.flat().map((request) => [request.id.toLowerCase(), request]))
  const expected = rows.filter(({ is_submitted }) => is_submitted)
  expect(listed.size).toBe(expected.length)
  for (const row of expected) {
    const request = listed.get(keyOf(row))
    expect(request).toMatchObject({ status: statusOf(row), ...standingOf(row, rows) })
  }
  const positions = expected.map((row) => standingOf(row, rows).queuePosition ?? 0)
  expect(Math.max(...positions)).toBeGreaterThan(3)
})

test('behavior: whatever is asked for, the pages hold exactly what matches', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFilter, fc.constantFrom(3, 100), async (filter, pageSize) => {
      const listed = await walk(filter, pageSize)
      expect(listed.map(({ id }) => id.toLowerCase())).toEqual(matching(filter))
      for (const request of listed) {
        const row = rows.find((one) => keyOf(one) === request.id.toLowerCase())
        expect(row && standingOf(row, rows)).toEqual({
          queuePosition: request.queuePosition,
          sharesAhead: request.sharesAhead,
          expectedBy: request.expectedBy,
        })
      }
    }),
    { numRuns: 60 },
  )
})

test('behavior: a waiting request is expected after the time that nine of ten of the last waited', async () => {
  const place = { ...QUEUES[2], user_address: addressOf('patient') }
  const DAYS = 86_400
  // The oldest, those out of turn, and those of the block of their submission waited otherwise.
  await add(8, (index) => ({
    ...place,
    block_timestamp: START - 9 * DAYS,
    ...outcomeOf('COMPLETE', START - 8 * DAYS + index),
  }))
  await add(7, (index) => ({
    ...place,
    block_timestamp: START + index,
    ...outcomeOf('COMPLETE', START + 2 * DAYS),
    is_force_processed: true,
  }))
  await add(7, (index) => ({
    ...place,
    block_timestamp: START + DAYS + index,
    ...outcomeOf('COMPLETE', START + DAYS + index),
  }))
  // Each waited 50 s less than the one before, down to 3,550.
  await add(50, (index) => ({
    ...place,
    block_timestamp: START + 110 * index,
    ...outcomeOf('COMPLETE', START + 6_000 + 60 * index),
  }))
  const [waits] = await add(1, () => ({ ...place, block_timestamp: START + 3 * DAYS }))
  const [marked] = await add(1, () => ({
    ...place,
    block_timestamp: START + 3 * DAYS,
    ...outcomeOf('PENDING_REFUND'),
  }))
  if (!waits || !marked) throw new Error('two rows')
  const listed = await walk(`userAddress = ${addressOf('patient')} AND status != COMPLETE`)
  // The 45th of 50, the shortest first.
  const expectedBy = new Date((START + 3 * DAYS + 3_550 + 50 * 44) * 1_000).toISOString()
  expect(listed.map((request) => request.expectedBy)).toEqual([expectedBy, expectedBy])
  expect(standingOf(waits, rows)).toMatchObject({ expectedBy })
})

test('behavior: a request with other events but no submission is neither listed nor counted', async () => {
  const place = { ...QUEUES[2], user_address: addressOf('passing') }
  await add(1, () => ({ ...place, is_submitted: false }))
  const [row] = await add(1, () => place)
  if (!row) throw new Error('a row')
  const listed = await walk(`userAddress = ${addressOf('passing')}`)
  expect(listed.map(({ id, queuePosition }) => [id.toLowerCase(), queuePosition])).toEqual([
    [keyOf(row), standingOf(row, rows).queuePosition],
  ])
})

describe('the chains that an answer was read at', () => {
  const indexed = async (filter?: string) => {
    const { status, headers, reason } = await get(filter)
    return [status, headers.get('x-indexed-blocks') ?? reason]
  }

  test('behavior: only chains on which a request can match', async () => {
    expect(await indexed()).toEqual([200, '1=1000,4663=99'])
    expect(await indexed('chainId = 1')).toEqual([200, '1=1000'])
    expect(await indexed(`vaultAddress = ${addressOf('other')}`)).toEqual([200, '4663=99'])
    expect(await indexed(`vaultAddress = ${addressOf('both')}`)).toEqual([200, '1=1000,4663=99'])
    expect(await indexed(`chainId != 1 OR vaultAddress = ${addressOf('other')}`)).toEqual([
      200,
      '4663=99',
    ])
    expect(await indexed('chainId = 5')).toEqual([200, null])
  })

  test('error: one of them is behind; others are answered', async () => {
    const { sql } = api.context
    await setReady(sql, 4663, false)
    expect(await indexed()).toEqual([503, 'INDEX_CATCHING_UP'])
    expect(await indexed(`vaultAddress = ${addressOf('both')}`)).toEqual([503, 'INDEX_CATCHING_UP'])
    expect(await indexed('chainId = 1')).toEqual([200, '1=1000'])
    await setReady(sql, 4663, true)
  })
})

const comparison = fc
  .oneof(
    fc.record({
      key: fc.constant('userAddress'),
      value: fc.constantFrom(...USERS, addressOf('nobody')),
    }),
    fc.record({
      key: fc.constant('vaultAddress'),
      value: fc.constantFrom(...['both', 'one', 'other', 'none'].map(addressOf)),
    }),
    fc.record({
      key: fc.constant('receiverAddress'),
      value: fc.constantFrom(...USERS, addressOf('heir'), addressOf('nobody')),
    }),
    fc.record({
      key: fc.constant('txHash'),
      value: fc.nat(47).map((index) => rows[index]?.transaction_hash ?? ''),
    }),
    fc.record({ key: fc.constant('status'), value: fc.constantFrom(...STATUSES) }),
    fc.record({ key: fc.constant('chainId'), value: fc.constantFrom('1', '4663', '5') }),
    fc.record({ key: fc.constant('orderIndex'), value: fc.constantFrom('1', '"3"', '7') }),
  )
  .chain(({ key, value }) =>
    fc.constantFrom('=', '=', '!=').map((operator) => `${key} ${operator} ${value}`),
  )

const arbitraryFilter = fc
  .letrec<{ any: string; group: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      comparison,
      fc
        .tuple(tie('group'), fc.constantFrom(' AND ', ' OR '), tie('group'))
        .map((parts) => parts.join('')),
    ),
    group: tie('any').map((inner) => `(${inner})`),
  }))
  .any.filter((text) => text.length < 1_500)
