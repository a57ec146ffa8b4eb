import { type Address, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../domain/access/organizations.ts'
import { activityListQuery } from '../../domain/earn/activity/activityListQuery.ts'
import { matchesFilter } from '../../domain/filter/matchesFilter.ts'
import { parseFilter } from '../../domain/filter/parseFilter.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { testOrganization } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { drawFilter } from '../support/drawnFilters.ts'
import { getJson } from '../support/getJson.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { hashOf, insertAddress, insertDeposit } from '../support/smartDeposits.ts'
import { insertFacts, setReady } from '../support/testIndex.ts'
import { bookOfVaults } from '../support/vaultBook.ts'

const START = 1_699_000_000
const USERS = ['c1', 'c2', 'c3'].map((byte): Address => `0x${byte.repeat(20)}`)
const [USER = '0x', OTHER = '0x', THIRD = '0x'] = USERS
const HERE: Address = `0x${'1a'.repeat(20)}`
const THERE: Address = `0x${'2b'.repeat(20)}`
const ASSET: Address = `0x${'aa'.repeat(20)}`
const SMART: Address = `0x${'5d'.repeat(20)}`
const VAULTS = [
  { chainId: 1, vault: HERE, base: 'six decimals' },
  { chainId: 4663, vault: HERE, base: 'eighteen decimals' },
  { chainId: 4663, vault: THERE, base: 'a stand-in of eight' },
] as const
const RECORDED = [
  'DEPOSIT',
  'WITHDRAWAL_REQUESTED',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_ATOMIC',
  'WITHDRAWAL_REFUND_REQUESTED',
  'WITHDRAWAL_REFUNDED',
] as const

type Expected = {
  id: string
  type: string
  chainId: number
  vaultAddress: string
  userAddress: string
  time: number
  block: number
  log: number
  part: number
}
type Listed = Record<string, unknown> & { id: string; timestamp: string }
type Body = {
  activity: Listed[]
  nextPageToken: string | null
  tokenMetadata: Record<string, Record<string, string>>
}

let api: TestApi
/** The number of the last row. */
let last = 89
const rows: Expected[] = []
beforeAll(async () => {
  api = await startTestApi({ addressBook: bookOfVaults([...VAULTS]) })
  const { sql } = api.context
  const { id } = await testOrganization(sql)
  await insertAddress(sql, [id], { address: SMART, user: USER, vault: HERE, inputToken: ASSET })
  for (let index = 0; index < 90; index += 1) await add(index)
})
afterAll(() => api?.stop())

/** The row of this number: of every type, vault and user, several in one second and in one block. */
async function add(index: number, time = START + Math.floor(index / 6)) {
  const { sql } = api.context
  const { chainId, vault } = VAULTS[index % 3] ?? VAULTS[0]
  const log = index * 10 + 3
  const hash: Hex = `0x${String(index).padStart(64, '0')}`
  const origin = {
    chain_id: chainId,
    block_number: Math.floor(index / 4) + 1,
    block_timestamp: time,
    transaction_hash: hash,
    log_index: log,
    vault,
    rate: 1_500_000,
  }
  const of = { chainId, vaultAddress: vault, time, block: origin.block_number, log }
  const id = `${chainId}:${hash}:${log}`
  const user = USERS[(index >> 1) % 3] ?? USER
  const other = USERS[(index + 1) % 3] ?? OTHER
  if (index % 2 === 0) {
    const isSmart = index % 24 === 0
    const type = RECORDED[(index >> 1) % 6] ?? 'DEPOSIT'
    await insertFacts(sql, 'vault_activity', [
      { ...origin, type, user_address: user, shares: index, counterparty: isSmart ? SMART : null },
    ])
    const isSmartDeposit = isSmart && chainId === 1 && type === 'DEPOSIT'
    if (isSmartDeposit)
      await insertDeposit(sql, {
        deposit_id: hashOf(`deposit ${index}`),
        address: SMART,
        status: 'confirmed',
        settle_tx_hash: hash,
      })
    rows.push({
      ...of,
      id,
      type: isSmartDeposit ? 'SMART_DEPOSIT' : type,
      userAddress: user,
      part: 0,
    })
    return
  }
  // Every fifth is a part of something else.
  const isShown = index % 5 !== 0
  await insertFacts(sql, 'share_transfer', [
    {
      ...origin,
      sender: user,
      recipient: other,
      amount: index,
      counts_for_sender: isShown,
      counts_for_recipient: isShown,
    },
  ])
  if (!isShown) return
  rows.push({ ...of, id: `${id}:OUT`, type: 'TRANSFER_OUT', userAddress: user, part: 0 })
  rows.push({ ...of, id: `${id}:IN`, type: 'TRANSFER_IN', userAddress: other, part: 1 })
}

function matching(text: string): string[] {
  const filter = parseFilter(text, activityListQuery.keys)
  if (!filter) throw new Error('the filter is empty')
  return rows
    .filter(({ chainId, vaultAddress, userAddress, type }) =>
      matchesFilter(filter, { chainId, vaultAddress, userAddress, type }),
    )
    .toSorted(
      (a, b) =>
        b.time - a.time ||
        b.chainId - a.chainId ||
        b.block - a.block ||
        b.log - a.log ||
        b.part - a.part,
    )
    .map(({ id }) => id)
}

function get(parameters: Record<string, string>) {
  return getJson<Body>(`${api.url}/v2/earn/activity?${new URLSearchParams(parameters)}`)
}

function list(filter: string): PageFetcher {
  return async ({ pageSize, pageToken }) => {
    const page = { pageSize: String(pageSize), ...(pageToken ? { pageToken } : {}) }
    const { status, reason, body } = await get({ filter, ...page })
    const keys = (body.activity ?? []).map(({ id }) => id)
    return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
  }
}

const OF_USER = `userAddress = ${USER}`
const OF_VAULT = `vaultAddress = ${HERE}`

describe.each([
  ['a user', OF_USER],
  ['a vault on two chains', OF_VAULT],
])('the activity of %s', (_, filter) => {
  testPageLaws(() => ({
    fetch: list(filter),
    matching: () => matching(filter),
    async insert() {
      // At both ends, within, and beside others of its second.
      for (const time of [START - 5, START + 100, START + 3, START + 9])
        for (let part = 0; part < 3; part += 1) {
          last += 6
          await add(last + part, time)
        }
    },
    others: {
      'another user': list(`userAddress = ${OTHER}`),
      'another filter': list(`${filter} AND chainId = 1`),
    },
  }))
})

test('behavior: drawn filters find what they say', async () => {
  const random = seededRandom(7)
  const values = {
    userAddress: [USER, OTHER, THIRD],
    vaultAddress: [HERE, THERE],
    chainId: ['1', '4663', '5'],
    type: [...RECORDED, 'TRANSFER_IN', 'TRANSFER_OUT', 'SMART_DEPOSIT'],
  } as const
  for (let drawn = 0; drawn < 40; drawn += 1) {
    const { text } = drawFilter(random, values)
    const filter = `${drawn % 2 ? OF_USER : OF_VAULT}${text ? ` AND ${text}` : ''}`
    const keys: string[] = []
    let pageToken: string | null = null
    do {
      const page: Record<string, string> = pageToken === null ? {} : { pageToken }
      const { status, body } = await get({ filter, pageSize: '40', ...page })
      expect([filter, status]).toEqual([filter, 200])
      keys.push(...body.activity.map(({ id }) => id))
      pageToken = body.nextPageToken
    } while (pageToken !== null)
    expect([filter, keys]).toEqual([filter, matching(filter)])
  }
})

test('default: an activity, to the digit, and its tokens', async () => {
  const { url, status, headers, body } = await get({
    filter: `${OF_USER} AND type = SMART_DEPOSIT AND chainId = 1`,
    endTime: String(START),
  })
  expect(undescribed(url, status, body)).toEqual([])
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(headers.get('x-indexed-blocks')).toBe('1=1000')
  expect(body.activity).toEqual([
    {
      id: `1:0x${'0'.repeat(64)}:3`,
      type: 'SMART_DEPOSIT',
      chainId: 1,
      vaultAddress: getAddress(HERE),
      userAddress: getAddress(USER),
      counterparty: getAddress(SMART),
      shareAmount: '0',
      exchangeRateToBase: '1.500000',
      valueInBase: '0.000000',
      txHash: `0x${'0'.repeat(64)}`,
      logIndex: 3,
      blockNumber: 1,
      timestamp: new Date(START * 1_000).toISOString(),
      depositId: hashOf('deposit 0'),
    },
  ])
  expect(Object.values(body.tokenMetadata).map(({ symbol }) => symbol)).toContain('SIX')
})

test('behavior: a window excludes its start and includes its end', async () => {
  const times = async (bounds: Record<string, string>) => {
    const { body } = await get({ filter: OF_VAULT, pageSize: '100', ...bounds })
    const found = body.activity.map(({ timestamp }) => Date.parse(timestamp) / 1_000)
    return [Math.max(...found), Math.min(...found)]
  }
  const [first, last] = [String(START + 2), String(START + 4)]
  expect(await times({ startTime: first, endTime: last })).toEqual([START + 4, START + 3])
  const { body } = await get({ filter: OF_VAULT, pageSize: '5', startTime: first, endTime: last })
  const page = { filter: OF_VAULT, pageSize: '5', pageToken: body.nextPageToken ?? '' }
  expect((await get({ ...page, startTime: first, endTime: last })).status).toBe(200)
  expect(await get({ ...page, startTime: first })).toMatchObject({
    status: 400,
    reason: 'INVALID_PAGE_TOKEN',
  })
})

test("behavior: what the keeper's order paid has the id of the deposit that it was sent on from", async () => {
  const { sql } = api.context
  const find = async () =>
    (await get({ filter: `${OF_USER} AND type = SMART_DEPOSIT` })).body.activity[0]?.depositId
  const arrival = await find()
  const [sentOn, orderId] = [hashOf('sent on'), hashOf('order')]
  await insertDeposit(sql, { deposit_id: sentOn, address: SMART })
  await sql`
    update app.smart_deposit set order_id = ${orderId}, status = 'converting'
    where deposit_id = ${sentOn}`
  await sql`
    update app.smart_deposit set continues = ${orderId} where deposit_id = ${String(arrival)}`
  expect(await find()).toBe(sentOn)
  await sql`update app.smart_deposit set continues = null where deposit_id = ${String(arrival)}`
  expect(await find()).toBe(arrival)
})

test("behavior: the id of a smart deposit is its organization's own", async () => {
  const { sql } = api.context
  const { id } = await createOrganization(api.administrator, 'Another')
  await sql`
    update app.smart_deposit_registration set organization_id = ${id} where address = ${SMART}`
  const { body } = await get({ filter: `${OF_USER} AND type = SMART_DEPOSIT` })
  expect(body.activity.length).toBeGreaterThan(0)
  for (const row of body.activity) expect(row).not.toHaveProperty('depositId')
})

test('behavior: the rate before the first update is that of the update, or of the chain', async () => {
  const { sql } = api.context
  const vault = THERE
  const row = { chain_id: 4663, vault, user_address: `0x${'c9'.repeat(20)}`, type: 'DEPOSIT' }
  await insertFacts(sql, 'vault_activity', [
    { ...row, shares: 150_000_000, rate: null, block_timestamp: START, transaction_hash: '0x0a' },
  ])
  const filter = `userAddress = ${row.user_address}`
  expect(await get({ filter })).toMatchObject({ status: 503, reason: 'RPC_UNAVAILABLE' })
  await insertFacts(sql, 'vault_state', [
    { chain_id: 4663, vault, opening_rate: 120_000_000, rate: 999_999_999 },
  ])
  const { body } = await get({ filter })
  expect(body.activity).toMatchObject([
    { exchangeRateToBase: '1.20000000', valueInBase: '1.80000000' },
  ])
})

test.each([
  ['no filter', undefined],
  ['neither user nor vault', 'chainId = 1'],
  ['a user inside an OR', `userAddress = ${USER} OR chainId = 1`],
  ['any but one user', `userAddress != ${USER}`],
  ['an unknown type', `${OF_USER} AND type = GIFT`],
  ['an unknown key', `${OF_USER} AND colour = red`],
])('error: %s', async (_, filter) => {
  const answer = await get(filter === undefined ? {} : { filter })
  expect(answer).toMatchObject({ status: 400, reason: 'INVALID_FILTER' })
})

test('error: a window that ends before it starts', async () => {
  const bounds = { startTime: '5', endTime: '4' }
  expect(await get({ filter: OF_USER, ...bounds })).toMatchObject({
    status: 400,
    reason: 'INVALID_FIELD',
  })
})

test('error: an index that is behind', async () => {
  const { sql } = api.context
  await setReady(sql, 4663, false)
  expect(await get({ filter: OF_USER })).toMatchObject({
    status: 503,
    reason: 'INDEX_CATCHING_UP',
  })
  expect((await get({ filter: `${OF_USER} AND chainId = 1` })).status).toBe(200)
  await setReady(sql, 4663, true)
})
