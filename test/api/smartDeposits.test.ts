import { getAddress, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { testPageLaws } from '../support/pageLaws.ts'
import {
  addressNamed,
  hashOf,
  insertAddress,
  insertDeposit,
  insertPendingEvents,
  recordDepositEvent,
} from '../support/smartDeposits.ts'
import { watchSmartDeposit } from '../support/watchSmartDeposit.ts'

type Organization = { id: string; key: string }
type Deposit = Record<string, unknown> & { depositId: Hex; timeline: { type: string }[] }

const PENDING = 'smart_deposit.deposit.pending'
const CONVERTING = 'smart_deposit.deposit.converting'
const CONFIRMED = 'smart_deposit.deposit.confirmed'
const FAILED = 'smart_deposit.deposit.failed'
const FINALIZED = 'smart_deposit.deposit.finalized'

let api: TestApi
let acme: Organization
let other: Organization
beforeAll(async () => {
  api = await startTestApi()
  acme = await newOrganization('Acme')
  other = await newOrganization('Other')
})
afterAll(() => api?.stop())

async function newOrganization(name: string): Promise<Organization> {
  const { id } = await createOrganization(api.administrator, name)
  const created = { organizationId: id, permissions: ['smart-deposits'] as const }
  return { id, key: (await createKey(api.administrator, created)).key }
}

const sqlOf = () => api.context.sql
const token = () => api.context.addressBook.tokens[0]?.address ?? '0x'

let names = 0
/** A new address with one new deposit. */
async function newDeposit(organizations: Organization[], customerId: string | null = null) {
  names += 1
  const address = addressNamed(`address ${names}`)
  const user = addressNamed(`user ${names}`)
  const ids = organizations.map(({ id }) => id)
  await insertAddress(sqlOf(), ids, { address, user, customerId, inputToken: token() })
  const depositId = hashOf(`deposit ${names}`)
  await insertDeposit(sqlOf(), { deposit_id: depositId, address })
  const record = (
    type: Parameters<typeof recordDepositEvent>[1]['type'],
    changes = {},
    fields = {},
  ) =>
    recordDepositEvent(sqlOf(), {
      organizationIds: ids,
      depositId,
      type,
      fields,
      ...(Object.keys(changes).length > 0 ? { changes } : {}),
    })
  return { depositId, address, user, record }
}

async function list(query: Record<string, string>, { key }: Organization) {
  const target = `${api.url}/v2/earn/smartDeposits?${new URLSearchParams(query)}`
  const response = await ask(target, { headers: { 'x-api-key': key } })
  const body = (await response.json()) as {
    smartDeposits: Deposit[]
    nextPageToken: string | null
    tokenMetadata: object
    error?: { details: { reason: string }[] }
  }
  expect(undescribed(target, response.status, body)).toEqual([])
  return { status: response.status, body }
}

async function idsOf(filter: string, organization = acme): Promise<Hex[]> {
  const { body } = await list({ filter, pageSize: '100' }, organization)
  return body.smartDeposits.map(({ depositId }) => depositId)
}

describe('GET /v2/earn/smartDeposits', () => {
  test('default: from the first event on, with its whole timeline', async () => {
    const { depositId, address, user, record } = await newDeposit([acme], 'customer_1')
    const filter = `depositId = ${depositId}`
    expect(await idsOf(filter)).toEqual([])
    await record(PENDING)
    const forward = hashOf('forward')
    const settled = { settle_tx_hash: forward, settle_block_hash: hashOf('block 9') }
    await record(
      CONFIRMED,
      { status: 'confirmed', minted_amount: '249000000', ...settled },
      { forward_tx_hash: forward },
    )
    const { body } = await list({ filter }, acme)
    expect(body.smartDeposits).toEqual([
      {
        depositId,
        status: 'CONFIRMED',
        chainId: 1,
        customerId: 'customer_1',
        smartDepositAddress: getAddress(address),
        userDestinationAddress: getAddress(user),
        vaultAddress: getAddress(addressNamed('vault')),
        inputToken: getAddress(token()),
        receivedAmount: '250000000',
        mintedAmount: '249000000',
        receiptTxHash: hashOf(`transaction of ${depositId}`),
        receiptTxBlockHash: hashOf('block 7'),
        forwardTxHash: forward,
        forwardTxBlockHash: hashOf('block 9'),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        timeline: [
          {
            id: expect.stringMatching(/^evt_/),
            type: PENDING,
            sequence: 1,
            timestamp: expect.stringMatching(/^\d{4}-.+\.\d{3}Z$/),
            receiptTxHash: hashOf(`transaction of ${depositId}`),
          },
          expect.objectContaining({ type: CONFIRMED, sequence: 2, forwardTxHash: forward }),
        ],
      },
    ])
    expect(Object.keys(body.tokenMetadata)).toContain(`1:${getAddress(token())}`)
  })

  test.each([
    ['refunded', { forwardTxHash: hashOf('end') }, 'recoveryTxHash'],
    ['recovered', { recoveryTxHash: hashOf('end') }, 'forwardTxHash'],
    ['retained', {}, 'forwardTxHash'],
  ] as const)('behavior: %s', async (remediation, expected, absent) => {
    const { depositId, record } = await newDeposit([acme])
    await record(PENDING)
    const settle_tx_hash = remediation === 'retained' ? null : hashOf('end')
    await record(FAILED, { status: 'failed', remediation, error: 'why', settle_tx_hash })
    const { body } = await list({ filter: `depositId = ${depositId}` }, acme)
    const [deposit] = body.smartDeposits
    expect(deposit).toMatchObject({ status: 'FAILED', remediation, error: 'why', ...expected })
    expect(deposit).not.toHaveProperty(absent)
    expect(deposit).not.toHaveProperty('mintedAmount')
  })

  test('behavior: what was paid in another token on another chain is sent on, and ends with the vault', async () => {
    const { depositId, record } = await newDeposit([acme])
    const other = addressNamed('token elsewhere')
    await record(PENDING, { chain_id: 4663, token: other, received_amount: '7000' })
    const find = async () =>
      (await list({ filter: `depositId = ${depositId}` }, acme)).body.smartDeposits[0]
    const origin = { originChainId: 4663, originAsset: getAddress(other), originAmount: '7000' }
    const pending = await find()
    expect(pending).toMatchObject({ status: 'PENDING', chainId: 1, receivedAmount: '0', ...origin })
    expect(pending).not.toHaveProperty('convertTxHash')

    const [sent, ended] = [hashOf('conversion'), hashOf('home')]
    const order = { order_id: hashOf('order'), order_amount: '6900', home_amount: '3000' }
    await record(
      CONVERTING,
      { status: 'converting', settle_tx_hash: sent, settle_block_hash: hashOf('8'), ...order },
      { convert_tx_hash: sent },
    )
    const converting = await find()
    expect(converting).toMatchObject({
      status: 'CONVERTING',
      receivedAmount: '3000',
      convertTxHash: sent,
      ...origin,
    })
    expect(converting?.timeline.at(-1)).toMatchObject({ convertTxHash: sent })
    for (const name of ['forwardTxHash', 'forwardTxBlockHash', 'mintedAmount'])
      expect(converting).not.toHaveProperty(name)

    const home = { home_tx_hash: ended, home_block_hash: hashOf('9') }
    await record(CONFIRMED, { status: 'confirmed', minted_amount: '6800', ...home })
    expect(await find()).toMatchObject({
      status: 'CONFIRMED',
      convertTxHash: sent,
      forwardTxHash: ended,
      forwardTxBlockHash: hashOf('9'),
      mintedAmount: '6800',
      ...origin,
    })
    expect(await idsOf(`depositId = ${depositId} AND chainId = 1`)).toEqual([depositId])
    expect(await idsOf(`depositId = ${depositId} AND chainId = 4663`)).toEqual([])
  })

  test('behavior: what was paid elsewhere and not accepted is retained with its reason, then refunded there', async () => {
    const { depositId, record } = await newDeposit([acme])
    const find = async () =>
      (await list({ filter: `depositId = ${depositId}` }, acme)).body.smartDeposits[0]
    await record(PENDING, { token: addressNamed('unlisted') })
    await record(FAILED, {
      status: 'failed',
      remediation: 'retained',
      error: 'why',
      reason: 'TOKEN_NOT_ACCEPTED',
    })
    expect(await find()).toMatchObject({
      remediation: 'retained',
      reason: 'TOKEN_NOT_ACCEPTED',
      originChainId: 1,
      originAsset: getAddress(addressNamed('unlisted')),
    })
    await record(FAILED, { remediation: 'refunded', settle_tx_hash: hashOf('end') })
    const refunded = await find()
    expect(refunded).toMatchObject({ remediation: 'refunded', forwardTxHash: hashOf('end') })
    expect(refunded).not.toHaveProperty('reason')
  })

  test('behavior: a retried one names the one before', async () => {
    const { depositId, address, record } = await newDeposit([acme])
    await record(PENDING)
    await record(FAILED, { status: 'failed', remediation: 'retained', error: 'why' })
    const second = hashOf(`second attempt at ${depositId}`)
    await insertDeposit(sqlOf(), { deposit_id: second, address })
    await sqlOf()`
      update app.smart_deposit set attempt = 2, payment_id = (
        select payment_id from app.smart_deposit where deposit_id = ${depositId}
      ) where deposit_id = ${second}`
    await recordDepositEvent(sqlOf(), {
      organizationIds: [acme.id],
      depositId: second,
      type: CONFIRMED,
      changes: { status: 'confirmed' },
    })
    const { body } = await list({ filter: `smartDepositAddress = ${address}` }, acme)
    expect(body.smartDeposits.map((deposit) => [deposit.depositId, deposit.retryOf])).toEqual([
      [second, depositId],
      [depositId, undefined],
    ])
  })

  test('behavior: each organization sees its own events only', async () => {
    const { depositId, record, address } = await newDeposit([acme, other])
    await recordDepositEvent(sqlOf(), { organizationIds: [acme.id], depositId, type: PENDING })
    expect(await idsOf(`depositId = ${depositId}`, acme)).toEqual([depositId])
    for (const filter of ['', `depositId = ${depositId}`, `smartDepositAddress = ${address}`])
      expect(await idsOf(filter, other)).toEqual([])
    expect(await single(depositId, other)).toBe('SMART_DEPOSIT_NOT_FOUND')
    await record(CONFIRMED, { status: 'confirmed' })
    const timelines = await Promise.all(
      [acme, other].map(async (organization) => {
        const { body } = await list({ filter: `depositId = ${depositId}` }, organization)
        return body.smartDeposits[0]?.timeline.map(({ type }) => type)
      }),
    )
    expect(timelines).toEqual([[PENDING, CONFIRMED], [CONFIRMED]])
  })

  test('behavior: every filter key', async () => {
    const organization = await newOrganization('Filters')
    const one = await newDeposit([organization], 'x')
    const two = await newDeposit([organization])
    await one.record(PENDING)
    await two.record(PENDING)
    await two.record(FAILED, { status: 'failed', remediation: 'retained', error: 'why' })
    for (const [filter, expected] of [
      ['', [two, one]],
      [`depositId = ${one.depositId}`, [one]],
      [`depositId != ${one.depositId}`, [two]],
      [`smartDepositAddress = ${getAddress(two.address)}`, [two]],
      [`smartDepositAddress != ${two.address}`, [one]],
      [`userAddress = ${getAddress(one.user)}`, [one]],
      ['customerId = x', [one]],
      ['customerId != x', [two]],
      ['status = PENDING', [one]],
      ['status = FAILED AND chainId = 1', [two]],
      ['chainId = 2', []],
      [`customerId = x OR status = FAILED`, [two, one]],
      [`(customerId = x) AND userAddress = ${two.user}`, []],
    ] as const)
      expect([filter, await idsOf(filter, organization)]).toEqual([
        filter,
        expected.map(({ depositId }) => depositId),
      ])
    expect((await list({ filter: 'status = RETRYING' }, organization)).status).toBe(400)
  })

  test('behavior: a page that searched a thousand in vain still has a token for the next', async () => {
    const organization = await newOrganization('Many')
    const address = addressNamed('many')
    await insertAddress(sqlOf(), [organization.id], { address, inputToken: token() })
    await insertDeposit(sqlOf(), { deposit_id: hashOf('many'), address })
    await insertPendingEvents(sqlOf(), organization.id, [hashOf('many')])
    const busy = addressNamed('busy')
    await insertAddress(sqlOf(), [organization.id], { address: busy, inputToken: token() })
    const busyIds = Array.from({ length: 1_500 }, (_, index) =>
      numberToHex(index + 1, { size: 32 }),
    )
    await sqlOf()`
      insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, token, address, payment_id, attempt,
        received_amount, payment_tx_hash, payment_log_position, payment_block_number,
        payment_block_hash, status)
      select id, 1, 1, ${token()}, ${busy}, id, 1, 1, '0x', 0, 1, '0x', 'confirmed' from unnest(${busyIds}::text[]) id`
    await insertPendingEvents(sqlOf(), organization.id, busyIds)
    const pages: number[] = []
    let pageToken: string | null = null
    do {
      const query = { filter: 'status = PENDING', ...(pageToken ? { pageToken } : {}) }
      const { body }: Awaited<ReturnType<typeof list>> = await list(query, organization)
      pages.push(body.smartDeposits.length)
      pageToken = body.nextPageToken
    } while (pageToken)
    expect(pages).toEqual([0, 1])
    expect(await idsOf(`smartDepositAddress = ${address}`, organization)).toEqual([hashOf('many')])
  })

  describe('pages', () => {
    const newest: Hex[] = []
    let pager: Organization
    const add = async () => {
      const { depositId, record } = await newDeposit([pager, other])
      await record(PENDING)
      newest.unshift(depositId)
    }
    beforeAll(async () => {
      pager = await newOrganization('Pager')
      for (let index = 0; index < 16; index += 1) await add()
    })
    const fetcher =
      (filter: string, of = () => pager) =>
      async (page: { pageSize: number; pageToken?: string }) => {
        const given = { filter, pageSize: String(page.pageSize) }
        const pageToken = page.pageToken === undefined ? {} : { pageToken: page.pageToken }
        const { status, body } = await list({ ...given, ...pageToken }, of())
        return {
          status,
          reason: body.error?.details.at(-1)?.reason ?? null,
          keys: (body.smartDeposits ?? []).map(({ depositId }) => depositId),
          nextPageToken: body.nextPageToken ?? null,
        }
      }
    testPageLaws(() => ({
      fetch: fetcher('chainId = 1'),
      matching: () => [...newest],
      insert: add,
      others: {
        filter: fetcher('status = PENDING'),
        organization: fetcher('chainId = 1', () => other),
      },
    }))
  })
})

/** Its status over GraphQL, or the reason of the error. */
async function single(depositId: Hex, { key }: Organization): Promise<string | undefined> {
  const response = await ask(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query: `{ smartDeposit(depositId: "${depositId}") { status } }` }),
  })
  const { data, errors } = (await response.json()) as {
    data: { smartDeposit: { status: string } | null }
    errors?: { extensions: { details: { reason?: string }[] } }[]
  }
  return data.smartDeposit?.status ?? errors?.[0]?.extensions.details.at(-1)?.reason
}

describe('GET /v2/earn/smartDeposits/{depositId}', () => {
  const get = (depositId: Hex, { key }: Organization, query = '', etag?: string) =>
    getJson<{ smartDeposit: Deposit }>(`${api.url}/v2/earn/smartDeposits/${depositId}${query}`, {
      'x-api-key': key,
      ...(etag ? { 'if-none-match': etag } : {}),
    })

  test('default: as the list has it, for its organization alone', async () => {
    const { depositId, record } = await newDeposit([acme])
    await record(PENDING)
    const one = await get(depositId, acme)
    expect(undescribed(one.url, one.status, one.body)).toEqual([])
    const { body } = await list({ filter: `depositId = ${depositId}` }, acme)
    expect(body.smartDeposits).toEqual([one.body.smartDeposit])
    expect(one.headers.get('cache-control')).toBe('private, no-cache')
    expect((await get(depositId, acme, '', one.headers.get('etag') ?? '')).status).toBe(304)
    const strange = await get(depositId, other)
    expect([strange.status, strange.reason]).toEqual([404, 'SMART_DEPOSIT_NOT_FOUND'])
  })

  test('behavior: it is awaited, then each event of it, and a wait without one is a 304', async () => {
    const { depositId, record } = await newDeposit([acme])
    const appearing = get(depositId, acme, '?waitSeconds=20')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await record(PENDING)
    const { body, headers } = await appearing
    expect(body.smartDeposit.status).toBe('PENDING')
    const etag = headers.get('etag') ?? ''
    expect((await get(depositId, acme, '?waitSeconds=1', etag)).status).toBe(304)
    const changing = get(depositId, acme, '?waitSeconds=20', etag)
    const startedAt = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 200))
    await record(FAILED, { status: 'failed', remediation: 'retained', error: 'why' })
    expect((await changing).body.smartDeposit).toMatchObject({ remediation: 'retained' })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  test('error: it does not appear', async () => {
    const { status, reason } = await get(hashOf('never'), acme, '?waitSeconds=1')
    expect([status, reason]).toEqual([404, 'SMART_DEPOSIT_NOT_FOUND'])
    const wrong = await get('0x12', acme, '?waitSeconds=31')
    expect([wrong.status, wrong.reason]).toEqual([400, 'INVALID_FIELD'])
  })
})

describe('smartDeposit', () => {
  test('default: one by its id', async () => {
    const { depositId, record } = await newDeposit([acme])
    expect(await single(depositId, acme)).toBe('SMART_DEPOSIT_NOT_FOUND')
    await record(PENDING)
    expect(await single(depositId, acme)).toBe('PENDING')
  })

  test('default: a stream of its states, from before it is known to its end', async () => {
    const { depositId, record } = await newDeposit([acme])
    const { states, failures } = watchSmartDeposit(api.url, depositId, acme.key)
    const strangers = watchSmartDeposit(api.url, depositId, other.key)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const expected: string[] = []
    for (const [type, changes, state] of [
      [PENDING, {}, 'PENDING  1'],
      [CONFIRMED, { status: 'confirmed' }, 'CONFIRMED  2'],
      [FINALIZED, { status: 'finalized' }, 'FINALIZED  3'],
    ] as const) {
      await record(type, changes)
      expected.push(state)
      await expect.poll(() => states).toEqual(expected)
    }
    expect([failures, strangers.states, strangers.failures]).toEqual([[], [], []])
  })

  test('behavior: the event itself wakes the requests that wait', async () => {
    const { depositId, record } = await newDeposit([acme])
    await record(PENDING)
    const { states } = watchSmartDeposit(api.url, depositId, acme.key)
    await expect.poll(() => states).toHaveLength(1)
    const delays: number[] = []
    const changes = Array.from({ length: 5 }, (_, index) => `smart_deposit.deposit.${index}`)
    for (const name of changes) {
      const before = states.length
      const start = performance.now()
      await record(name as typeof PENDING)
      await expect.poll(() => states.length, { interval: 5 }).toBe(before + 1)
      delays.push(performance.now() - start)
    }
    // Without a notification, the check of every second finds them.
    expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(400)
  })
})
