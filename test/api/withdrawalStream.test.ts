import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type WithdrawalId,
  withdrawalIdOf,
} from '../../domain/earn/withdrawals/withdrawalRequest.ts'
import {
  createWithdrawalRequestsById,
  createWithdrawalRequestWatch,
} from '../../domain/earn/withdrawals/withdrawalRequestsById.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { type WithdrawalState, watchWithdrawal } from '../support/watchWithdrawal.ts'
import {
  addressOf,
  insertWithdrawOrders,
  outcomeOf,
  updateWithdrawOrder,
  type WithdrawOrderRow,
  withdrawalAddressBook,
  withdrawOrder,
} from '../support/withdrawOrders.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ addressBook: withdrawalAddressBook })
})
afterAll(() => api?.stop())

const watch = (id: string) => watchWithdrawal(api.url, id)

let queues = 0
/** A new queue with this many waiting requests. */
async function lineOf(count: number): Promise<WithdrawOrderRow[]> {
  queues += 1
  const queue = addressOf(`queue ${queues}`)
  const rows = Array.from({ length: count }, (_, index) =>
    withdrawOrder({ queue, order_index: index + 1, offer_amount: String(10 ** index) }),
  )
  await insertWithdrawOrders(api.context.sql, rows)
  return rows
}

function idOf({ chain_id, queue, order_index }: WithdrawOrderRow): WithdrawalId {
  return withdrawalIdOf({ chainId: chain_id, queue, orderIndex: BigInt(order_index) })
}

const user = getAddress(addressOf('user'))

describe('subscription withdrawalRequest', () => {
  test('default: the present state, then each change of it and of what is before it', async () => {
    const line = await lineOf(3)
    const [first, second, third] = line as [WithdrawOrderRow, WithdrawOrderRow, WithdrawOrderRow]
    const { states, failures } = watch(idOf(third))
    const expected: WithdrawalState[] = [['PENDING', user, 3, '11']]
    const change = async (row: WithdrawOrderRow, changes: object, ...state: WithdrawalState) => {
      await updateWithdrawOrder(api.context.sql, row, changes)
      expected.push(state)
      await expect.poll(() => states).toEqual(expected)
    }
    await expect.poll(() => states).toEqual(expected)
    await change(first, outcomeOf('PENDING_REFUND'), 'PENDING', user, 3, '10')
    await change(second, outcomeOf('COMPLETE'), 'PENDING', user, 2, '0')
    await change(first, outcomeOf('REFUNDED'), 'PENDING', user, 1, '0')
    const heir = getAddress(addressOf('heir'))
    await change(third, { receiver: addressOf('heir') }, 'PENDING', heir, 1, '0')
    await change(third, outcomeOf('PENDING_REFUND'), 'PENDING_REFUND', heir, 1, '0')
    await change(third, outcomeOf('REFUNDED'), 'REFUNDED', heir, null, null)
    expect(failures).toEqual([])
  })

  test('behavior: an unknown request is awaited, its id in any case', async () => {
    const queue = addressOf('awaited queue')
    const row = withdrawOrder({ queue })
    const { states } = watch(`1:${getAddress(queue)}:01`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(states).toEqual([])
    await insertWithdrawOrders(api.context.sql, [row])
    await expect.poll(() => states).toEqual([['PENDING', user, 1, '0']])
  })

  test('behavior: changes that no client waits for are not sent', async () => {
    const [row] = (await lineOf(1)) as [WithdrawOrderRow]
    const { states } = watch(idOf(row))
    await expect.poll(() => states).toHaveLength(1)
    const { queue } = row
    await insertWithdrawOrders(api.context.sql, [withdrawOrder({ queue, order_index: 2 })])
    await updateWithdrawOrder(api.context.sql, row, { last_block_timestamp: 1_800_000_000 })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await updateWithdrawOrder(api.context.sql, row, outcomeOf('COMPLETE'))
    await expect
      .poll(() => states)
      .toEqual([
        ['PENDING', user, 1, '0'],
        ['COMPLETE', user, null, null],
      ])
  })

  test('error: a malformed id is reported in the stream', async () => {
    const query = 'subscription ($id: WithdrawalRequestId!) { withdrawalRequest(id: $id) { id } }'
    const response = await ask(`${api.url}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query, variables: { id: '1:0x12:3' } }),
    })
    const text = await response.text()
    expect(text).toContain('"reason":"INVALID_FIELD"')
    expect(text).toContain('event: complete')
  })
})

describe('the watch of withdrawal requests', () => {
  test('behavior: any number of waiters share one statement per notification', async () => {
    const WAITERS = 500
    let statements = 0
    const counting = new Proxy(api.context.sql, {
      apply(target, self, call) {
        // Fragments of a statement are made by the same function.
        if (String(call[0]).includes('with progress')) statements += 1
        return Reflect.apply(target, self, call)
      },
    })
    let notify = () => {}
    const reads = createWithdrawalRequestsById({
      readIndex: (select) => select({ ...api.context, sql: counting }),
    })
    const watcher = createWithdrawalRequestWatch(reads, (onChange) => {
      notify = onChange
      return () => {}
    })
    onTestFinished(() => watcher.stop())
    const line = await lineOf(10)
    const ids = line.map(idOf)
    const found = await Promise.all(ids.map((id) => reads.read(id)))
    const seen = found.map(({ request }) => request && watcher.version(request))
    let woken = 0
    const waits = Array.from({ length: WAITERS }, (_, index) => {
      const at = index % ids.length
      const wait = watcher.next(ids[at] as WithdrawalId, seen[at] ?? null, { timeoutMs: 20_000 })
      return wait.then(() => {
        woken += 1
      })
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(woken).toBe(0)

    statements = 0
    // The first is paid, so all behind it move up.
    await updateWithdrawOrder(api.context.sql, line[0] as WithdrawOrderRow, outcomeOf('COMPLETE'))
    notify()
    await Promise.all(waits)
    expect(statements).toBeGreaterThan(0)
    expect(statements).toBeLessThanOrEqual(2)
  })
})

describe('GET /v2/earn/withdrawalRequests/{id}', () => {
  const get = (id: string, query = '', etag?: string) =>
    getJson<{ withdrawalRequest: Record<string, unknown> }>(
      `${api.url}/v2/earn/withdrawalRequests/${id}${query}`,
      etag ? { 'if-none-match': etag } : {},
    )

  test('default: the request as the list has it, its id in any case', async () => {
    const [row] = (await lineOf(1)) as [WithdrawOrderRow]
    const one = await get(idOf(row))
    const filter = encodeURIComponent(`txHash = ${row.transaction_hash}`)
    const list = await getJson<{ withdrawalRequests: object[] }>(
      `${api.url}/v2/earn/withdrawalRequests?filter=${filter}`,
    )
    expect(list.body.withdrawalRequests).toContainEqual(one.body.withdrawalRequest)
    expect(undescribed(one.url, one.status, one.body)).toEqual([])
    const shown = String(one.body.withdrawalRequest.id)
    expect((await get(shown)).body).toEqual(one.body)
    expect((await get(shown, '', one.headers.get('etag') ?? '')).status).toBe(304)
  })

  test('behavior: with the ETag it is held until the request changes, and is a 304 if it does not', async () => {
    const [row] = (await lineOf(1)) as [WithdrawOrderRow]
    const etag = (await get(idOf(row))).headers.get('etag') ?? ''
    expect((await get(idOf(row), '?waitSeconds=1', etag)).status).toBe(304)
    const held = get(idOf(row), '?waitSeconds=20', etag)
    const startedAt = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await updateWithdrawOrder(api.context.sql, row, outcomeOf('COMPLETE'))
    expect((await held).body.withdrawalRequest).toMatchObject({
      status: 'COMPLETE',
      settlementTxHash: outcomeOf('COMPLETE').settlement_transaction_hash,
    })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  test('behavior: an unknown request is awaited', async () => {
    const row = withdrawOrder({ queue: addressOf('awaited over REST') })
    const held = get(idOf(row), '?waitSeconds=20')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await insertWithdrawOrders(api.context.sql, [row])
    expect((await held).status).toBe(200)
  })

  test.each([
    ['unknown', `1:${addressOf('none')}:1`, '', 404, 'WITHDRAWAL_REQUEST_NOT_FOUND'],
    [
      'unknown at the end of a wait',
      `1:${addressOf('none')}:1`,
      '?waitSeconds=1',
      404,
      'WITHDRAWAL_REQUEST_NOT_FOUND',
    ],
    ['no id', '1:2', '', 400, 'INVALID_FIELD'],
    ['a longer wait', `1:${addressOf('none')}:1`, '?waitSeconds=31', 400, 'INVALID_FIELD'],
  ])('error: %s', async (_, id, query, status, reason) => {
    const answer = await get(id, query)
    expect([answer.status, answer.reason]).toEqual([status, reason])
  })
})
