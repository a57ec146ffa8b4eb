import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedBuilds } from '../../../bench/seedBuilds.ts'
import { accountAddress, vaultFacts } from '../../../bench/vaultFacts.ts'
import {
  BIG_USER,
  seededQueues,
  withdrawalAddressBook,
  withdrawalFacts,
} from '../../../bench/withdrawalFacts.ts'
import type { AppContext } from '../../../domain/appContext.ts'
import { listActivity } from '../../../domain/earn/activity/listActivity.ts'
import { listUserPositions } from '../../../domain/earn/positions/listUserPositions.ts'
import { listWithdrawalRequests } from '../../../domain/earn/withdrawals/listWithdrawalRequests.ts'
import type { WithdrawalId } from '../../../domain/earn/withdrawals/withdrawalRequest.ts'
import { dearPlans, type ReadPlan } from '../../support/readPlans.ts'
import { countTouchedRows, type TouchedRows } from '../../support/touchedRows.ts'
import { withNothingKept } from '../../support/withNothingKept.ts'

/** A fifth are in one queue, where 200 wait; in most others 4 wait. One user has every 27th. */
const ORDER_COUNT = 40_000
const queues = seededQueues(ORDER_COUNT)
const [largest, other] = [queues[0]?.vault, queues[7]?.vault]
/** A page has this many rows and one more, from one of this many branches. */
const PAGE = 25
const CHAINS = 6
const BRANCHES = CHAINS * 4
/** The payments from which a vault's pace is measured. */
const SETTLEMENTS = 50

/** The bounds of the plan of each statement. */
const MOST = { nodes: 360, buffers: 300 }

/** The rows and index entries that a list of withdrawal requests may touch, over the builds of six chains. */
describe('what a list of withdrawal requests touches', () => {
  let rows: TouchedRows
  let context: AppContext
  beforeAll(async () => {
    const addressBook = withdrawalAddressBook(queues)
    const chains = withdrawalFacts(queues)
    rows = await countTouchedRows({
      addressBook,
      tables: ['withdrawal_request'],
      seed: (databaseUrl, observer) => seedBuilds(observer, { databaseUrl, addressBook, chains }),
    })
    context = rows.context
  })
  afterAll(() => rows?.stop())

  const costOf = (filter: string, found = PAGE) =>
    rows.touchedBy(async () => {
      const page = await listWithdrawalRequests(context, { filter, pageSize: PAGE })
      expect(page.withdrawalRequests).toHaveLength(found)
    })

  test.each<[string, string, number?]>([
    ['a user', `userAddress = ${BIG_USER} AND status = COMPLETE`],
    ['a user, what was refunded', `userAddress = ${BIG_USER} AND status = REFUNDED`, 11],
    ['a vault, what was refunded', `vaultAddress = ${largest} AND status = REFUNDED`],
    ['everything, what was refunded', 'status = REFUNDED'],
    ['everything on a chain, what was paid', 'chainId = 999 AND status = COMPLETE'],
  ])('behavior: %s: the page, and a look into each branch', async (_, filter, found?: number) => {
    expect(await costOf(filter, found)).toBeLessThan(2 * (PAGE + 1) + BRANCHES)
  })

  test('behavior: wherever the page stands', async () => {
    let pageToken: string | undefined
    const costs: number[] = []
    for (let page = 0; page < 40; page += 1) {
      const next = async () => {
        const filter = `userAddress = ${BIG_USER} AND status = COMPLETE`
        const found = await listWithdrawalRequests(withNothingKept(context), {
          filter,
          pageSize: PAGE,
          pageToken,
        })
        expect(found.withdrawalRequests).toHaveLength(PAGE)
        pageToken = found.nextPageToken ?? undefined
      }
      if (page % 39 === 0) costs.push(await rows.touchedBy(next))
      else await next()
    }
    const [first = 0, last = 0] = costs
    expect(last).toBeLessThan(first * 1.5)
  })

  test('behavior: with what waits: what waits behind it, and what its vault paid last', async () => {
    const cost = await costOf(`vaultAddress = ${largest} AND status = PENDING`)
    expect(cost).toBeGreaterThan(SETTLEMENTS)
    expect(cost).toBeLessThan(2 * (PAGE + 1) + BRANCHES + SETTLEMENTS + 2 * PAGE)
  })

  test('behavior: the place in a queue, at its front, within and at its end', async () => {
    const waiting = await rows.observer<{ id: WithdrawalId; place: bigint; ahead: string }[]>`
      select chain_id || ':' || queue || ':' || order_index as id,
        row_number() over turn as place,
        sum(case when is_marked_for_refund then 0 else offer_amount end) over turn
          - case when is_marked_for_refund then 0 else offer_amount end as ahead
      from read.withdrawal_request
      where vault = ${largest ?? ''} and not is_paid and not is_refunded
      window turn as (order by order_index) order by order_index`
    expect(waiting).toHaveLength(200)
    for (const at of [0, 1, 40, 60, 198, 199]) {
      const { id = '' as WithdrawalId, place, ahead } = waiting[at] ?? {}
      const { request } = await context.withdrawalRequestsById.read(id)
      const { queuePosition, sharesAhead } = request ?? {}
      expect([at, queuePosition, String(sharesAhead)]).toEqual([at, Number(place), ahead])
    }
  })

  test('behavior: every filter of a list is one statement, which stays prepared', async () => {
    const filters = [
      `userAddress != ${BIG_USER}`,
      'status = REFUNDED OR orderIndex = 7',
      `chainId != 1 AND (vaultAddress != ${other} OR status = PENDING)`,
    ]
    const sent = await rows.statementsOf(async () => {
      for (const filter of filters)
        await listWithdrawalRequests(context, { filter, pageSize: PAGE })
    })
    const lists = sent.filter(({ text }) => text.includes('candidate'))
    expect(lists).toHaveLength(filters.length)
    expect(new Set(lists.map(({ text }) => text)).size).toBe(1)
  })

  test.each([
    ['a receiver', `receiverAddress = ${BIG_USER} AND status = COMPLETE`],
    ['a transaction', `txHash = 0x${'ab'.repeat(32)}`, 0],
  ])('behavior: %s: the page alone', async (_, filter, found?: number) => {
    expect(await costOf(filter, found)).toBeLessThan(2 * (PAGE + 1) + BRANCHES)
  })

  test('behavior: one index, whose orders are all of one time: a page of each chain', async () => {
    const cost = await costOf('orderIndex = 100')
    expect(cost).toBeLessThan(2 * CHAINS * (PAGE + 1) + BRANCHES)
  })

  test('behavior: a user and a vault: what it may examine', async () => {
    const cost = await costOf(`userAddress = ${BIG_USER} AND vaultAddress = ${other}`, 5)
    expect(cost).toBeLessThan(500 + BRANCHES + 2 * PAGE)
  })

  test.each([
    ['a user', `userAddress = ${BIG_USER}`],
    ['a status', 'status = REFUNDED'],
    ['what waits in the largest queue', `vaultAddress = ${largest} AND status = PENDING`],
  ])('behavior: %s: few nodes, few pages, no table read in whole', async (_, filter) => {
    const read = () => listWithdrawalRequests(withNothingKept(context), { filter, pageSize: PAGE })
    await read()
    expectCheap(await rows.plansOf(read))
  })

  test('behavior: a page is read again only once a block has changed a row of its chains', async () => {
    const asked = { filter: 'chainId = 999 AND status = COMPLETE', pageSize: PAGE }
    const own = withNothingKept(context)
    const listStatements = async () => {
      const sent = await rows.statementsOf(() => listWithdrawalRequests(own, asked))
      return sent.filter(({ text }) => text.includes('candidate')).length
    }
    const newBlockOn = async (chainId: number, hash: Hex, changes: object = {}) => {
      const [found] = await rows.observer<{ schema: string }[]>`
        select postgres_schema as schema from app.index_build
        where chain_id = ${chainId} and state = 'served'`
      await rows.observer`
        update ${rows.observer(`${found?.schema}.chain_head`)}
        set ${rows.observer({ block_hash: hash, ...changes })}, block_number = block_number + 1`
    }
    const hashOf = (byte: string): Hex => `0x${byte.repeat(32)}`
    const [empty, elsewhere, changed] = [hashOf('1a'), hashOf('1b'), hashOf('1c')]
    expect([await listStatements(), await listStatements()]).toEqual([1, 0])
    await newBlockOn(1, elsewhere, { last_change_hash: elsewhere })
    expect(await listStatements()).toBe(0)
    await newBlockOn(999, empty)
    expect(await listStatements()).toBe(0)
    await newBlockOn(999, changed, { last_change_hash: changed })
    expect([await listStatements(), await listStatements()]).toEqual([1, 0])
  })

  test('behavior: requests for one page at once share a read', async () => {
    const own = withNothingKept(context)
    const asked = { filter: `vaultAddress = ${other}`, pageSize: PAGE }
    const sent = await rows.statementsOf(() =>
      Promise.all(Array.from({ length: 16 }, () => listWithdrawalRequests(own, asked))),
    )
    expect(sent.filter(({ text }) => text.includes('candidate'))).toHaveLength(1)
  })

  test('behavior: one by its id: itself, and what waits before it', async () => {
    const [at] = await rows.observer<{ id: WithdrawalId }[]>`
      select chain_id || ':' || queue || ':' || order_index as id
      from read.withdrawal_request where vault = ${largest ?? ''} and is_paid limit 1`
    if (!at) throw new Error('one was paid')
    const cost = await rows.touchedBy(async () => {
      const { request } = await context.withdrawalRequestsById.read(at.id)
      expect(request?.status).toBe('COMPLETE')
    })
    expect(cost).toBeLessThan(5)
  })
})

/** The same, of a list of activity, where one user sent a quarter of all transfers. */
describe('what a list of activity touches', () => {
  const TRANSFERS = 12_000
  const [vault] = queues.filter(({ chainId }) => chainId === 1)
  const busiest = accountAddress(1)
  let rows: TouchedRows
  let context: AppContext
  beforeAll(async () => {
    const addressBook = withdrawalAddressBook(queues)
    const chains = withdrawalFacts(queues).map((chain) => ({
      ...chain,
      inserts: vaultFacts({
        chainId: chain.id,
        vaults: queues.filter(({ chainId }) => chainId === chain.id).map((queue) => queue.vault),
        hours: 24,
        accounts: 50,
        transfers: TRANSFERS,
        headTime: 1_700_000_000,
      }).inserts,
    }))
    rows = await countTouchedRows({
      addressBook,
      tables: ['vault_activity', 'share_transfer'],
      seed: (databaseUrl, observer) => seedBuilds(observer, { databaseUrl, addressBook, chains }),
    })
    context = rows.context
  })
  afterAll(() => rows?.stop())

  const ACTIVITY_BRANCHES = CHAINS * 8
  const costOf = (filter: string, times = {}) =>
    rows.touchedBy(async () => {
      const page = await listActivity(withNothingKept(context), {
        filter,
        pageSize: PAGE,
        ...times,
      })
      expect(page.activity).toHaveLength(PAGE)
    })

  test.each([
    ['the busiest user', `userAddress = ${busiest}`],
    ['what the busiest user sent', `userAddress = ${busiest} AND type = TRANSFER_OUT`],
    ['a vault', `vaultAddress = ${vault?.vault}`],
    ['a user on one chain', `userAddress = ${busiest} AND chainId = 999`],
  ])('behavior: %s: a page of each branch at most', async (_, filter) => {
    expect(await costOf(filter)).toBeLessThan(2 * (PAGE + 1) * 3 * CHAINS + ACTIVITY_BRANCHES)
  })

  test('behavior: a window reads no more', async () => {
    const endTime = 1_700_000_000 - 40_000
    const cost = await costOf(`userAddress = ${busiest}`, { startTime: endTime - 9_000, endTime })
    expect(cost).toBeLessThan(2 * (PAGE + 1) * 3 * CHAINS + ACTIVITY_BRANCHES)
  })

  const activity = () =>
    listActivity(withNothingKept(context), { filter: `userAddress = ${busiest}`, pageSize: PAGE })
  const positions = () =>
    listUserPositions(withNothingKept(context), { userAddress: busiest, pageSize: PAGE })

  test.each([
    ['activity of the busiest user', activity],
    ['positions of a user', positions],
  ])('behavior: %s: few nodes, few pages, no table read in whole', async (_, read) => {
    await read()
    expectCheap(await rows.plansOf(read))
  })

  test('behavior: positions are joined with vaults by hash, not each with each', async () => {
    await positions()
    const [plan] = await rows.plansOf(positions)
    expect(plan?.unmatched).toBeLessThan(2 * CHAINS ** 2)
  })

  test('behavior: activity shows a missing index', async () => {
    const indexes = await rows.observer<{ name: string }[]>`
      select schemaname || '.' || indexname as name from pg_indexes
      where schemaname like 'index\\_%' and tablename = 'share_transfer' and indexname like '%\\_read\\_%'`
    const without = indexes.map(({ name }) => name)
    const plans = await rows.plansOf(activity, without)
    expect(dearPlans(plans, MOST)).not.toEqual([])
  })

  test('behavior: a user and a vault: what it may examine', async () => {
    const cost = await rows.touchedBy(() =>
      listActivity(withNothingKept(context), {
        filter: `userAddress = ${busiest} AND vaultAddress = ${vault?.vault}`,
        pageSize: PAGE,
      }),
    )
    expect(cost).toBeLessThan(2 * 3 * 500 + ACTIVITY_BRANCHES)
  })
})

function expectCheap(plans: ReadPlan[]) {
  expect(plans).not.toEqual([])
  expect(dearPlans(plans, MOST)).toEqual([])
}
