import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { listedWithdrawals, pick, QUEUES, USERS } from '../support/listedWithdrawals.ts'
import { testPageLaws } from '../support/pageLaws.ts'
import { addressOf, outcomeOf, START, withdrawalAddressBook } from '../support/withdrawOrders.ts'

let api: TestApi
const orders = listedWithdrawals(() => api)
const { list, matching, addAround } = orders

beforeAll(async () => {
  api = await startTestApi({ addressBook: withdrawalAddressBook })
  await orders.addMixed()
})
afterAll(() => api?.stop())

describe('all requests', () => {
  testPageLaws(() => ({
    fetch: list(),
    matching: () => matching(),
    insert: async () => void (await addAround({})),
    others: { 'a filter': list('status = PENDING'), 'a chain': list('chainId = 1') },
  }))
})

describe('the requests of a user', () => {
  const filter = `userAddress = ${USERS[0]}`
  testPageLaws(() => ({
    fetch: list(filter),
    matching: () => matching(filter),
    insert: async () => void (await addAround({ user_address: pick(USERS, 0) })),
    others: { 'no filter': list(), 'another user': list(`userAddress = ${USERS[1]}`) },
  }))
})

describe('the requests of a receiver', () => {
  const heir = addressOf('heir')
  const filter = `receiverAddress = ${heir}`
  beforeAll(() => orders.add(16, (index) => ({ ...pick(QUEUES, index), receiver: heir })))
  testPageLaws(() => ({
    fetch: list(filter),
    matching: () => matching(filter),
    insert: async () => void (await addAround({ receiver: heir })),
    others: { 'a user of this address': list(`userAddress = ${heir} OR orderIndex = 1`) },
  }))
})

describe('the requests of a transaction', () => {
  const transaction_hash = `0x${'7a'.repeat(32)}` as const
  const filter = `txHash = ${transaction_hash}`
  beforeAll(() => orders.add(16, (index) => ({ ...pick(QUEUES, index), transaction_hash })))
  testPageLaws(
    () => ({
      fetch: list(filter),
      matching: () => matching(filter),
      others: { 'all others': list(`txHash != ${transaction_hash}`) },
    }),
    { isGrowing: false },
  )
})

describe('the waiting requests of a vault', () => {
  const filter = `vaultAddress = ${addressOf('both')} AND status != COMPLETE AND status != REFUNDED`
  testPageLaws(() => ({
    fetch: list(filter),
    matching: () => matching(filter),
    insert: async () => void (await addAround({})),
    others: { 'a part of the filter': list(`vaultAddress = ${addressOf('both')}`) },
  }))
})

describe('few of very many', () => {
  const CROWD = addressOf('crowd')
  const place = { chain_id: 4663, vault: addressOf('other'), queue: addressOf('former queue') }
  /** More requests than a page searches. */
  const MANY = 800
  // The index of the user is read, who has other requests too.
  const filter = `userAddress = ${CROWD} AND (status = REFUNDED OR orderIndex = 3 OR orderIndex = 4)`

  beforeAll(async () => {
    await orders.add(MANY, (index) => ({
      block_timestamp: START + 20 + (index >> 1),
      ...place,
      user_address: CROWD,
      ...outcomeOf(index % 50 === 7 ? 'REFUNDED' : 'COMPLETE'),
    }))
  })

  testPageLaws(
    () => ({
      fetch: list(filter),
      matching: () => matching(filter),
      others: { 'the user alone': list(`userAddress = ${CROWD}`) },
    }),
    { isGrowing: false },
  )

  test('behavior: a page that looked at its most comes back short, even empty, with a token', async () => {
    const last = `userAddress = ${CROWD} AND (orderIndex = 2 OR vaultAddress = ${addressOf('one')})`
    const first = await page(last)
    expect(first).toEqual({ keys: [], nextPageToken: expect.any(String) })
    const rest = await page(last, first.nextPageToken)
    expect(rest).toEqual({ keys: matching(last), nextPageToken: null })
    expect(rest.keys).toHaveLength(1)
  })

  test.each([
    ['a user and a status', `userAddress = ${CROWD} AND status = REFUNDED`, 13],
    ['an index and a user', `orderIndex = 2 AND userAddress = ${CROWD}`, 1],
    [
      'a vault, a status, a chain',
      `vaultAddress = ${place.vault} AND (status = REFUNDED AND chainId = 4663)`,
      14,
    ],
    ['a status', 'status = REFUNDED AND chainId = 4663', 14],
  ])('behavior: %s is found at once, however few it is of many', async (_, some, least) => {
    const found = await page(some)
    expect(found).toEqual({ keys: matching(some), nextPageToken: null })
    expect(found.keys.length).toBeGreaterThanOrEqual(least)
  })
})

async function page(filter: string, pageToken: string | null = null) {
  const { keys, nextPageToken } = await list(filter)({
    pageSize: 100,
    ...(pageToken ? { pageToken } : {}),
  })
  return { keys, nextPageToken }
}
