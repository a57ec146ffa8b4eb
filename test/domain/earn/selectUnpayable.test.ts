import fc from 'fast-check'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import {
  type PayoutTerms,
  selectUnpayable,
} from '../../../domain/earn/withdrawals/selectUnpayable.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'
import {
  addressOf,
  insertWithdrawOrders,
  outcomeOf,
  statusOf,
  type WithdrawOrderRow,
  withdrawOrder,
} from '../../support/withdrawOrders.ts'

const STATUSES = [
  'PENDING',
  'PENDING',
  'PENDING',
  'PENDING_REFUND',
  'COMPLETE',
  'REFUNDED',
] as const
const QUEUES = ['first', 'second'].map(addressOf)
const ASSETS = ['dollar', 'euro'].map(addressOf)

let database: TestDatabase
let sql: Sql
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  sql = connect(database.url, { applicationName: 'test', max: 1 })
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

const ceilDiv = (amount: bigint, divisor: bigint) => (amount + divisor - 1n) / divisor

/** The arithmetic of the fee module and the queue, with their names (devnet/contracts). */
function payout(offer: bigint, { fee, rateInQuote, decimals }: PayoutTerms): bigint {
  const oneShare = 10n ** BigInt(decimals)
  const charged = ceilDiv(offer * fee.bps, 10_000n) + ceilDiv(fee.flat * oneShare, rateInQuote)
  return charged >= offer ? 0n : ((offer - charged) * rateInQuote) / oneShare
}

const order = fc.record({
  status: fc.constantFrom(...STATUSES),
  queue: fc.constantFrom(...QUEUES),
  chain_id: fc.constantFrom(1, 4663),
  want_asset: fc.constantFrom(...ASSETS),
  is_submitted: fc.constantFrom(true, true, true, false),
  offer: fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 30n)),
})
const terms = fc.record({
  decimals: fc.constantFrom(6, 18),
  rateInQuote: fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, 10n ** 19n)),
  fee: fc.record({
    bps: fc.constantFrom(0n, 1n, 10n, 9_999n, 10_000n),
    flat: fc.constantFrom(0n, 1n, 50_000n, 10n ** 17n),
  }),
  // The requested amount, and a few units above and below it.
  lacking: fc.bigInt(-2n, 2n),
})

describe('selectUnpayable', () => {
  test('behavior: as the queues count, order by order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { maxLength: 40 }),
        fc.array(terms, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (orders, rates, most) => {
          await sql`truncate facts.withdrawal_request`
          const rows: [WithdrawOrderRow, bigint][] = orders.map(
            ({ status, offer, ...place }, index) => [
              withdrawOrder({
                ...place,
                order_index: index,
                offer_amount: String(offer),
                ...outcomeOf(status),
              }),
              offer,
            ],
          )
          await insertWithdrawOrders(
            sql,
            rows.map(([row]) => row),
          )
          // Every queue of one chain in each asset; the other chain is not requested.
          const priced = rates.map(({ lacking, ...rate }, index) => ({
            lacking,
            ...rate,
            chainId: index < 2 ? 1 : 4663,
            queue: QUEUES[index >> 1] ?? '0x',
            asset: ASSETS[index % 2] ?? '0x',
            balance: 0n,
            isBlocked: index % 3 === 0,
          })) satisfies (PayoutTerms & { lacking: bigint })[]
          const expected = priced.map((term, position) => {
            const pending = rows.filter(
              ([row]) =>
                row.is_submitted &&
                statusOf(row) === 'PENDING' &&
                row.chain_id === term.chainId &&
                row.queue === term.queue &&
                row.want_asset === term.asset,
            )
            return {
              position,
              orderCount: pending.length,
              shares: pending.reduce((sum, [, offer]) => sum + offer, 0n),
              assets: pending.reduce((sum, [, offer]) => sum + payout(offer, term), 0n),
            }
          })
          const asked = priced.map(({ lacking, ...term }, index) => {
            const balance = (expected[index]?.assets ?? 0n) - lacking
            return { ...term, balance: balance < 0n ? 0n : balance }
          })
          const { demands, progress } = await selectUnpayable(sql, asked, most)
          expect(progress.map(({ chain_id }) => chain_id).sort()).toEqual([1, 4663])
          const lacking = expected.filter(
            ({ position, orderCount, assets }) =>
              orderCount > 0 &&
              (asked[position]?.isBlocked || assets > (asked[position]?.balance ?? 0n)),
          )
          expect(demands).toEqual(lacking.slice(0, most))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('behavior: nothing is asked for, and the progress is there', async () => {
    const { demands, progress } = await selectUnpayable(sql, [], 1)
    expect([demands, progress.length]).toEqual([[], 2])
  })
})
