import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import {
  deleteOrders,
  insertOrder,
  orderRow,
  submissionHash,
  updateDestinations,
} from '../support/insertOrder.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const row = orderRow()
const path = `/v1/transit/orders/${row.id}`

beforeEach(async () => {
  await deleteOrders(api.context.sql)
  await insertOrder(api.context.sql, row)
})

async function get(target: string, headers: Record<string, string> = {}) {
  const url = `${api.url}${target}`
  const response = await fetch(url, { headers })
  const text = await response.text()
  const body = text === '' ? null : JSON.parse(text)
  if (body) expect(undescribed(url, response.status, body)).toEqual([])
  return { status: response.status, headers: response.headers, body }
}

describe('an order to an endpoint that the address book does not have', () => {
  const unknown = orderRow({
    id: `0x${'77'.repeat(32)}`,
    destination_chain_id: 0,
    status: 'PENDING_BRIDGE',
    amount_due: null,
    remaining_amount_due: null,
    executions: [],
    removals: [],
  })
  test('default: is answered as it was bridged, and its user has a list', async () => {
    await insertOrder(api.context.sql, unknown)
    const one = await get(`/v1/transit/orders/${unknown.id}`)
    expect(one.body).toMatchObject({
      order: { destinationChainId: 0, amountDue: unknown.offer_amount_normalized18 },
    })
    const list = await get(`/v1/transit/orders?userAddress=${unknown.user_address}`)
    const ids = (list.body as { orders: { id: string }[] }).orders.map(({ id }) => id)
    expect(ids.toSorted()).toEqual([row.id, unknown.id])
  })
})

describe('GET /v1/transit/orders/{orderId}', () => {
  test('default', async () => {
    const { status, headers, body } = await get(path)
    expect(status).toBe(200)
    expect(body).toMatchInlineSnapshot(`
      {
        "order": {
          "amountDue": "999000000000000000",
          "blockedBy": null,
          "createdAt": "2023-11-14T22:13:20.000Z",
          "deadline": 1700000600,
          "destinationChainId": 4663,
          "distributorCode": "0x0000000000000000000000000000000000000000000000000000000000000000",
          "expectedBy": null,
          "finalized": false,
          "id": "0x1111111111111111111111111111111111111111111111111111111111111111",
          "integratorFee": "0",
          "integratorFeeReceiver": "0x0000000000000000000000000000000000000000",
          "messageGuid": "0x1111111111111111111111111111111111111111111111111111111111111111",
          "offerAmount": "1000000",
          "offerAsset": "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1",
          "orderExecuteds": [
            {
              "amount": "599000000000000000",
              "chainId": 4663,
              "id": "4663-0xe5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5-3",
              "remaining": "400000000000000000",
              "timestamp": 1700000009,
              "txHash": "0xe5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5",
            },
          ],
          "orderForceRemoveds": [],
          "protocolFee": "1000",
          "receiveTime": 1700000005,
          "receiver": "0xd4d4d4D4D4d4d4d4d4D4d4D4d4d4d4d4d4d4D4d4",
          "remainingAmountDue": "400000000000000000",
          "sourceChainId": 1,
          "sourceTxHash": "0x1111111111111111111111111111111111111111111111111111111111111111",
          "status": "PROCESSING",
          "timeline": [
            {
              "amount": "1000000",
              "blockNumber": 99,
              "chainId": 1,
              "finalized": true,
              "step": "SUBMITTED",
              "timestamp": 1700000000,
              "txHash": "0x1111111111111111111111111111111111111111111111111111111111111111",
            },
            {
              "blockNumber": 99,
              "chainId": 1,
              "finalized": true,
              "step": "BRIDGED",
              "timestamp": 1700000000,
              "txHash": "0x1111111111111111111111111111111111111111111111111111111111111111",
            },
            {
              "amount": "999000000000000000",
              "blockNumber": 99,
              "chainId": 4663,
              "finalized": false,
              "remaining": "999000000000000000",
              "step": "RECEIVED",
              "timestamp": 1700000000,
              "txHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
            },
            {
              "amount": "599000000000000000",
              "blockNumber": 99,
              "chainId": 4663,
              "finalized": false,
              "remaining": "400000000000000000",
              "step": "EXECUTED",
              "timestamp": 1700000009,
              "txHash": "0xe5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5",
            },
          ],
          "tokenMetadata": {
            "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1": {
              "address": "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1",
              "chain_id": "1",
              "decimals": "6",
              "name": "Offered",
              "symbol": "OFF",
              "token_standard": "ERC20",
            },
            "0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2": {
              "address": "0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2",
              "chain_id": "4663",
              "decimals": "18",
              "name": "Wanted",
              "symbol": "WANT",
              "token_standard": "ERC20",
            },
            "1:0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1": {
              "address": "0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1",
              "chain_id": "1",
              "decimals": "6",
              "name": "Offered",
              "symbol": "OFF",
              "token_standard": "ERC20",
            },
            "4663:0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2": {
              "address": "0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2",
              "chain_id": "4663",
              "decimals": "18",
              "name": "Wanted",
              "symbol": "WANT",
              "token_standard": "ERC20",
            },
          },
          "transactionSender": "0xF6f6F6f6f6f6F6F6F6F6F6f6f6F6f6f6F6f6f6f6",
          "updatedAt": "2023-11-14T22:13:29.000Z",
          "user": "0xc3c3c3c3c3c3c3c3c3C3C3c3C3C3C3c3C3C3c3c3",
          "wantAsset": "0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2",
        },
      }
    `)
    expect(headers.get('x-indexed-blocks')).toBe('1=1000,4663=99')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('behavior: the id comes in any case', async () => {
    const upper = `0x${row.id.slice(2).toUpperCase()}`
    expect((await get(`/v1/transit/orders/${upper}`)).body.order.id).toBe(row.id)
  })

  test('behavior: seen on its destination only, what the submission alone shows is null', async () => {
    const id = `0x${'22'.repeat(32)}` as const
    const unknown = { user_address: null, offer_amount: null, distributor_code: null }
    await insertOrder(api.context.sql, orderRow({ id, ...unknown }))
    const { order } = (await get(`/v1/transit/orders/${id}`)).body
    const nulls = Object.keys(order).filter((name) => order[name] === null)
    expect(nulls.filter((name) => name !== 'expectedBy' && name !== 'blockedBy')).toEqual([
      'offerAmount',
      'user',
      'transactionSender',
      'distributorCode',
      'sourceTxHash',
      'protocolFee',
      'integratorFee',
      'integratorFeeReceiver',
      'deadline',
      'messageGuid',
    ])
    const steps = order.timeline.map(({ step }: { step: string }) => step)
    expect(steps).toEqual(['RECEIVED', 'EXECUTED'])
  })

  test('behavior: HEAD answers as GET, without the body', async () => {
    const response = await fetch(`${api.url}${path}`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe((await get(path)).headers.get('etag'))
    expect(await response.text()).toBe('')
  })

  test('behavior: a matching If-None-Match is a 304 with the same headers', async () => {
    const etag = (await get(path)).headers.get('etag') ?? ''
    const { status, headers, body } = await get(path, { 'if-none-match': `"x", W/${etag}` })
    expect([status, body]).toEqual([304, null])
    expect(headers.get('etag')).toBe(etag)
    expect(headers.get('x-indexed-blocks')).toBe('1=1000,4663=99')
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  test('behavior: the ETag covers the whole body', async () => {
    const { headers } = await get(path)
    await updateDestinations(api.context.sql, [row.id], { last_block_timestamp: '1700000010' })
    const etag = headers.get('etag') ?? ''
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
  })

  test('error: who guesses ids uses up only a part of the look-ups', async () => {
    const find = (id: number, client: string) =>
      api.context.unindexedOrders
        .find(numberToHex(id, { size: 32 }), { caller: null, clientAddress: client })
        .catch(String)
    const guessed = await Promise.all(Array.from({ length: 20 }, (_, id) => find(id, '192.0.2.1')))
    const refused = guessed.filter((answer) => String(answer).includes('Too many unknown orders'))
    expect(refused.length).toBeGreaterThanOrEqual(10)
    expect(await find(100, '192.0.2.2')).toContain('No node of chain')
  })

  test('error: who guesses transactions uses up only a part of the look-ups', async () => {
    const read = (id: number, client: string) =>
      api.context.sentTransactions
        .read(
          { chainId: 1, txHash: numberToHex(id, { size: 32 }) },
          { caller: null, clientAddress: client },
        )
        .catch(String)
    const guessed = await Promise.all(Array.from({ length: 30 }, (_, id) => read(id, '192.0.2.1')))
    const refused = guessed.filter((answer) => String(answer).includes('Too many transactions'))
    expect(refused.length).toBeGreaterThanOrEqual(10)
    expect(await read(100, '192.0.2.2')).toContain('No node of chain')
  })

  test('error: a transaction, while no node answers', async () => {
    const { status, headers, body } = await get(
      `/v1/transit/submissions?chainId=1&txHash=${row.id}`,
    )
    expect([status, body.error.details.at(-1).reason]).toEqual([503, 'RPC_UNAVAILABLE'])
    expect(headers.get('retry-after')).toBe('1')
  })

  test('error: an unknown order, while no node answers', async () => {
    const { status, headers, body } = await get(`/v1/transit/orders/0x${'99'.repeat(32)}`)
    expect([status, body.error.status]).toEqual([503, 'INTERNAL'])
    expect(body.error.details.at(-1).reason).toBe('RPC_UNAVAILABLE')
    expect(headers.get('retry-after')).toBe('1')
  })
})

describe('waitSeconds', () => {
  test('behavior: without If-None-Match a known order answers at once', async () => {
    const start = Date.now()
    expect((await get(`${path}?waitSeconds=20`)).status).toBe(200)
    expect(Date.now() - start).toBeLessThan(1_000)
  })

  test('behavior: another tag than the present one answers at once', async () => {
    const { status } = await get(`${path}?waitSeconds=20`, { 'if-none-match': '"old"' })
    expect(status).toBe(200)
  })

  test('behavior: an unchanged order is a 304 at the end of the wait', async () => {
    const etag = (await get(path)).headers.get('etag') ?? ''
    const start = Date.now()
    const { status } = await get(`${path}?waitSeconds=1`, { 'if-none-match': etag })
    expect(status).toBe(304)
    expect(Date.now() - start).toBeGreaterThanOrEqual(990)
  })

  test('behavior: a change ends the wait', async () => {
    const etag = (await get(path)).headers.get('etag') ?? ''
    const waiting = get(`${path}?waitSeconds=15`, { 'if-none-match': etag })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await updateDestinations(api.context.sql, [row.id], { status: 'PROCESSED', remaining: '0' })
    const { status, body } = await waiting
    expect([status, body.order.status]).toEqual([200, 'PROCESSED'])
  })

  test('behavior: draining answers at once', async () => {
    const own = await startTestApi()
    await insertOrder(own.context.sql, row)
    const first = await fetch(`${own.url}${path}`)
    const etag = first.headers.get('etag') ?? ''
    const waiting = fetch(`${own.url}${path}?waitSeconds=25`, {
      headers: { 'if-none-match': etag },
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    own.lifecycle.startDraining()
    expect((await waiting).status).toBe(304)
    expect((await fetch(`${own.url}/ready`)).status).toBe(503)
    expect((await fetch(`${own.url}${path}`)).status).toBe(200)
    await own.stop()
  })
})

describe('GET /v1/transit/orders', () => {
  test('default', async () => {
    const { status, headers, body } = await get(`/v1/transit/orders?userAddress=${row.receiver}`)
    expect(status).toBe(200)
    expect(body.orders.map(({ id }: { id: string }) => id)).toEqual([row.id])
    expect(body.nextPageToken).toBeNull()
    expect(Object.keys(body.tokenMetadata)).toHaveLength(4)
    expect(headers.get('x-indexed-blocks')).toBe('1=1000,4663=99')
    expect(headers.get('etag')).toBeTruthy()
  })

  test('behavior: unknown parameters are ignored', async () => {
    const { status } = await get(`/v1/transit/orders?userAddress=${row.receiver}&status=REMOVED`)
    expect(status).toBe(200)
  })

  test('behavior: pages hold every order once, newest first', async () => {
    const ids = await insertFive()
    const seen: string[] = []
    let token: string | null = ''
    while (token !== null) {
      const page = token === '' ? '' : `&pageToken=${token}`
      const { body } = await get(
        `/v1/transit/orders?userAddress=${row.user_address}&pageSize=2${page}`,
      )
      seen.push(...body.orders.map(({ id }: { id: string }) => id))
      token = body.nextPageToken
    }
    expect(seen).toEqual([...ids.reverse(), row.id])
  })

  test('error: a token of another filter', async () => {
    await insertFive()
    const list = `/v1/transit/orders?userAddress=${row.user_address}&pageSize=2`
    const { nextPageToken } = (await get(list)).body
    const { status, body } = await get(`${list}&filter=sourceChain%3D1&pageToken=${nextPageToken}`)
    expect(status).toBe(400)
    expect(body.error.details.at(-1).reason).toBe('INVALID_PAGE_TOKEN')
  })

  test('behavior: a filter by transaction needs no user', async () => {
    const { body } = await get(`/v1/transit/orders?filter=txHash%3D${submissionHash(row.id)}`)
    expect(body.orders).toHaveLength(1)
  })
})

/** Inserts five more orders, each a second newer than the previous one. */
async function insertFive() {
  const ids = [1, 2, 3, 4, 5].map((n): `0x${string}` => `0x${String(n).padStart(64, '0')}`)
  for (const [index, id] of ids.entries())
    await insertOrder(
      api.context.sql,
      orderRow({ id, created_at: row.created_at + BigInt(index) + 1n }),
    )
  return ids
}
