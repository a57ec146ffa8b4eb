import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import type { Permission } from '../../domain/access/permissions.ts'
import { OFFER_ASSET, WANT_ASSET } from '../support/addressBook.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'
import {
  addressNamed,
  hashOf,
  insertAddress,
  insertDeposit,
  recordDepositEvent,
} from '../support/smartDeposits.ts'

type Linked = {
  id?: Hex
  depositId?: Hex
  smartDeposit?: object
  transitOrder?: object
}

let api: TestApi
let own: { id: string; key: string }
let other: { id: string; key: string }
beforeAll(async () => {
  api = await startTestApi()
  own = await newOrganization('Own')
  other = await newOrganization('Other')
})
afterAll(() => api?.stop())

async function newOrganization(name: string) {
  const { id } = await createOrganization(api.administrator, name)
  return { id, key: await keyOf(id, ['smart-deposits']) }
}

async function keyOf(organizationId: string, permissions: Permission[]): Promise<string> {
  return (await createKey(api.administrator, { organizationId, permissions })).key
}

const sqlOf = () => api.context.sql

async function get<Body>(path: string, key?: string): Promise<Body> {
  const { body, status, url } = await getJson<Body>(
    `${api.url}${path}`,
    key ? { 'x-api-key': key } : {},
  )
  expect([url, undescribed(url, status, body)]).toEqual([url, []])
  return body
}

const orderOf = async (id: Hex, key?: string) =>
  (await get<{ order: Linked }>(`/v1/transit/orders/${id}`, key)).order
const depositOf = async (id: Hex, key: string) =>
  (await get<{ smartDeposit: Linked }>(`/v2/earn/smartDeposits/${id}`, key)).smartDeposit

type Given = {
  name: string
  organization?: { id: string }
  /** The asset that the order pays. */
  wantAsset?: Address
  parts?: number
}

let orders = 0
/** An order that was paid in parts, each in a transaction of its own, and a pending deposit of each part. */
async function newJourney({ name, organization = own, wantAsset = WANT_ASSET, parts = 1 }: Given) {
  orders += 1
  const id = hashOf(`order of ${name}`)
  const address = addressNamed(name)
  const depositIds = Array.from({ length: parts }, (_, part) => hashOf(`${name} ${part}`))
  await insertAddress(sqlOf(), [organization.id], {
    chainId: 4663,
    address,
    inputToken: WANT_ASSET,
  })
  const executions = depositIds.map((depositId, part) => ({
    chainId: 4663,
    transactionHash: hashOf(`transaction of ${depositId}`),
    logIndex: 3 + part,
    timestamp: 1_700_000_009 + part,
    amount: '1000',
    remaining: String(1000 * (parts - 1 - part)),
  }))
  const created_at = 1_700_000_000n + BigInt(orders)
  const want = { want_asset: wantAsset, receiver: address, created_at }
  await insertOrder(sqlOf(), orderRow({ id, ...want, status: 'PROCESSED', executions }))
  for (const deposit_id of depositIds) {
    const payment = { chain_id: 4663, address, received_amount: '1000' }
    await insertDeposit(sqlOf(), { deposit_id, ...payment })
    await recordDepositEvent(sqlOf(), {
      organizationIds: [organization.id],
      depositId: deposit_id,
      type: 'smart_deposit.deposit.pending',
    })
  }
  return { id, address, depositIds }
}

/** How often the payments of orders are read meanwhile. */
async function paymentReads(run: () => Promise<unknown>): Promise<number> {
  const { options } = api.context.sql
  const statements: string[] = []
  options.debug = (_, query) => statements.push(query)
  try {
    await run()
  } finally {
    options.debug = false
  }
  return statements.filter((text) => text.includes('with wanted as')).length
}

describe('an order and its smart deposit', () => {
  test('default: each names the other, and changes with it', async () => {
    const { id, depositIds } = await newJourney({ name: 'default' })
    const [depositId = '0x'] = depositIds
    expect(await orderOf(id, own.key)).toMatchObject({
      smartDeposit: { depositId, status: 'PENDING' },
    })
    expect(await depositOf(depositId, own.key)).toMatchObject({
      transitOrder: { id, status: 'PROCESSED' },
    })
    await sqlOf()`update app.smart_deposit set status = 'confirmed', minted_amount = 7 where deposit_id = ${depositId}`
    expect(await orderOf(id, own.key)).toMatchObject({ smartDeposit: { status: 'CONFIRMED' } })
    const { orders: listed } = await get<{ orders: Linked[] }>(
      `/v1/transit/orders?orderIds=${id}`,
      own.key,
    )
    expect(listed).toMatchObject([{ smartDeposit: { depositId, status: 'CONFIRMED' } }])
  })

  test('behavior: only for an organization that registered the address, with the permission', async () => {
    const { id } = await newJourney({ name: 'private' })
    const reader = await keyOf(own.id, ['earn:read'])
    // The kept answer of the one must not be the answer of the next.
    for (const key of [own.key, undefined, other.key, reader, own.key]) {
      const isShown = key === own.key
      expect([key, 'smartDeposit' in (await orderOf(id, key))]).toEqual([key, isShown])
    }
  })

  test('behavior: GraphQL follows the link as far as it is asked to', async () => {
    const { id, depositIds } = await newJourney({ name: 'graphql' })
    const query = `{ transitOrder(id: "${id}") { smartDeposit { depositId receivedAmount
      transitOrder { id smartDeposit { depositId } } } } }`
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': own.key },
      body: JSON.stringify({ query }),
    })
    const [depositId] = depositIds
    expect(await response.json()).toMatchObject({
      data: {
        transitOrder: {
          smartDeposit: {
            depositId,
            receivedAmount: '1000',
            transitOrder: { id, smartDeposit: { depositId } },
          },
        },
      },
    })
  })

  test('behavior: of several payments, the last; each payment names the order', async () => {
    // The order of the hashes of transactions differs from that of their blocks in some of these.
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const { id, depositIds } = await newJourney({ name: `parts ${name}`, parts: 2 })
      const last = depositIds.at(-1)
      expect(await orderOf(id, own.key)).toMatchObject({ smartDeposit: { depositId: last } })
      const { journey } = await get<{ journey: { smartDeposits: Linked[] } }>(
        `/v2/earn/journeys/${id}`,
        own.key,
      )
      expect(journey.smartDeposits.map(({ depositId }) => depositId)).toEqual(depositIds)
      for (const depositId of depositIds)
        expect(await depositOf(depositId, own.key)).toMatchObject({ transitOrder: { id } })
    }
  })

  test('behavior: an earlier attempt to settle the payment names the order too', async () => {
    const { id, depositIds, address } = await newJourney({ name: 'again' })
    const [depositId = '0x'] = depositIds
    const again = hashOf('again, second attempt')
    await sqlOf()`
      update app.smart_deposit set status = 'failed', remediation = 'retained', error = 'paused'
      where deposit_id = ${depositId}`
    await sqlOf()`
      insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, token, address, payment_id, attempt, received_amount, status,
        payment_tx_hash, payment_log_position, payment_block_number, payment_block_hash)
      select ${again}, chain_id, address_chain_id, token, ${address}, payment_id, 2, received_amount, 'pending',
        payment_tx_hash, payment_log_position, payment_block_number, payment_block_hash
      from app.smart_deposit where deposit_id = ${depositId}`
    await recordDepositEvent(sqlOf(), {
      organizationIds: [own.id],
      depositId: again,
      type: 'smart_deposit.deposit.pending',
    })
    expect(await orderOf(id, own.key)).toMatchObject({ smartDeposit: { depositId: again } })
    for (const attempt of [depositId, again])
      expect(await depositOf(attempt, own.key)).toMatchObject({ transitOrder: { id } })
  })

  test("behavior: the keeper's order names the deposit that it sent on, and no deposit of its own", async () => {
    const { id, depositIds } = await newJourney({ name: 'arrival' })
    const [arrival = '0x'] = depositIds
    const address = addressNamed('sent on')
    await insertAddress(sqlOf(), [own.id], { chainId: 4663, address, inputToken: WANT_ASSET })
    const sentOn = hashOf('sent on, 1')
    await insertDeposit(sqlOf(), { deposit_id: sentOn, chain_id: 4663, address })
    const sql = sqlOf()
    await sql`
      update app.smart_deposit set chain_id = 1, token = ${OFFER_ASSET}, status = 'converting',
        order_id = ${id}, order_amount = 1000 where deposit_id = ${sentOn}`
    await sql`update app.smart_deposit set continues = ${id} where deposit_id = ${arrival}`
    await recordDepositEvent(sql, {
      organizationIds: [own.id],
      depositId: sentOn,
      type: 'smart_deposit.deposit.converting',
    })
    expect(await orderOf(id, own.key)).toMatchObject({
      smartDeposit: { depositId: sentOn, status: 'CONVERTING' },
    })
    expect(await depositOf(sentOn, own.key)).toMatchObject({ transitOrder: { id } })
  })

  test('behavior: an order that pays another token made no smart deposit', async () => {
    const { id, depositIds } = await newJourney({ name: 'other token', wantAsset: OFFER_ASSET })
    expect(await orderOf(id, own.key)).not.toHaveProperty('smartDeposit')
    const [depositId = '0x'] = depositIds
    expect(await depositOf(depositId, own.key)).not.toHaveProperty('transitOrder')
  })

  test('behavior: the kept answers of a journey and of its list change with the smart deposit', async () => {
    const { id, address, depositIds } = await newJourney({ name: 'kept' })
    const [depositId = '0x'] = depositIds
    const user = addressNamed(`user of ${address}`)
    const statuses = async (key: string) => {
      const one = await get<{ journey?: { status: string } }>(`/v2/earn/journeys/${id}`, key)
      const list = await get<{ journeys: { status: string }[] }>(
        `/v2/earn/journeys?userAddress=${user}`,
        key,
      )
      return [one.journey?.status, ...list.journeys.map(({ status }) => status)]
    }
    for (const _ of [1, 2]) expect(await statuses(own.key)).toEqual(['ARRIVED', 'ARRIVED'])
    expect(await statuses(other.key)).toEqual([undefined])
    await recordDepositEvent(sqlOf(), {
      organizationIds: [own.id],
      depositId,
      type: 'smart_deposit.deposit.confirmed',
      changes: { status: 'confirmed', minted_amount: '7' },
    })
    expect(await statuses(own.key)).toEqual(['DEPOSITED', 'DEPOSITED'])
    // Not every change has an event.
    await sqlOf()`
      update app.smart_deposit set updated_at = '2030-01-02T03:04:05Z' where deposit_id = ${depositId}`
    const { journey } = await get<{ journey: object }>(`/v2/earn/journeys/${id}`, own.key)
    expect(journey).toMatchObject({ smartDeposits: [{ updatedAt: '2030-01-02T03:04:05.000Z' }] })
  })

  test('behavior: of organizations that share an address, each gets its own answer', async () => {
    const { id, address, depositIds } = await newJourney({ name: 'shared' })
    const [depositId = '0x'] = depositIds
    await sqlOf()`
      insert into app.smart_deposit_registration (organization_id, chain_id, address)
      values (${other.id}, 4663, ${address})`
    await recordDepositEvent(sqlOf(), {
      organizationIds: [own.id, other.id],
      depositId,
      type: 'smart_deposit.deposit.confirmed',
      changes: { status: 'confirmed', minted_amount: '7' },
    })
    const user = addressNamed(`user of ${address}`)
    for (const path of [`/${id}`, `?userAddress=${user}`])
      for (const { key } of [own, other, own, other]) {
        const answer = await get<object>(`/v2/earn/journeys${path}`, key)
        // Each event is in the timeline of its smart deposit and in that of the journey.
        const events = new Set(JSON.stringify(answer).match(/smart_deposit\.deposit\.\w+/g))
        const confirmed = 'smart_deposit.deposit.confirmed'
        const all = ['smart_deposit.deposit.pending', confirmed]
        expect([...events]).toEqual(key === own.key ? all : [confirmed])
      }
  })

  test('behavior: for an order to another account, no payment is looked for', async () => {
    const { id } = await newJourney({ name: 'of another', organization: other })
    const reads = await paymentReads(async () => {
      expect(await orderOf(id, own.key)).not.toHaveProperty('smartDeposit')
    })
    expect(reads).toBe(0)
  })

  test('behavior: a page reads all of its links together', async () => {
    const made = []
    for (const place of [1, 2, 3, 4, 5]) made.push(await newJourney({ name: `page ${place}` }))
    const ids = made.map(({ id }) => id).join(',')
    const orders = await paymentReads(async () => {
      const { orders } = await get<{ orders: Linked[] }>(
        `/v1/transit/orders?orderIds=${ids}`,
        own.key,
      )
      expect(orders.filter(({ smartDeposit }) => smartDeposit)).toHaveLength(5)
    })
    expect(orders).toBeLessThanOrEqual(2)
    const deposits = await paymentReads(async () => {
      const { smartDeposits } = await get<{ smartDeposits: Linked[] }>(
        '/v2/earn/smartDeposits?pageSize=5',
        own.key,
      )
      expect(smartDeposits.filter(({ transitOrder }) => transitOrder)).toHaveLength(5)
    })
    expect(deposits).toBe(1)
  })
})
