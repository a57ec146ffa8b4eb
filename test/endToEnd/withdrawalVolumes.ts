import fc from 'fast-check'
import { encodeFunctionData, getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { tellerAbi } from '../../abis/teller.ts'
import { DEVNET_ACTORS, DEVNET_SOLVER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import type { TestProduct } from '../support/product.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'
import type { WithdrawalVolumeRow } from '../support/vaultOracle/answers.ts'
import { type QueueClient, queueClient } from '../support/withdrawalProduct.ts'

type Body = { withdrawalVolumes: WithdrawalVolumeRow[]; nextPageToken: string | null }

const HOUR = 3_600
const user = userAt(0)
const { USDC, USDG } = DEPLOYMENT.tokens
const { outcast } = DEVNET_ACTORS

/** A withdrawal: its time in seconds after a full hour, and its amounts. */
type Paid = { at: number; asset: 'USDG' | 'USDC'; shares: bigint; how: How }
/** Paid by the queue in its turn or before it, or by the teller. */
type How = 'queued' | 'pre-filled' | 'at once'

/** One share is one dollar; the queue takes 10 bps, the teller nothing. In the order of time. */
const PAID: Paid[] = [
  { at: -10, asset: 'USDC', shares: 10_000_000n, how: 'queued' },
  { at: 0, asset: 'USDG', shares: 20_000_000n, how: 'queued' },
  { at: 1, asset: 'USDG', shares: 40_000_000n, how: 'queued' },
  { at: 1_800, asset: 'USDC', shares: 80_000_000n, how: 'queued' },
  { at: HOUR, asset: 'USDG', shares: 7_000_000n, how: 'at once' },
  { at: HOUR + 1, asset: 'USDG', shares: 160_000_000n, how: 'pre-filled' },
  { at: 3 * HOUR + 59, asset: 'USDC', shares: 320_000_000n, how: 'queued' },
  { at: 26 * HOUR, asset: 'USDG', shares: 640_000_000n, how: 'queued' },
]

let product: TestProduct
let dollar: QueueClient
/** A full hour. */
let base = 0

type Window = { from: number; to: number; interval?: number }

function ask({ from, to, interval }: Window, more: Record<string, string> = {}) {
  const query = new URLSearchParams({
    vaultAddress: dollar.deployment.vault,
    startTime: String(base + from),
    endTime: String(base + to),
    ...(interval === undefined ? {} : { interval: String(interval) }),
    ...more,
  })
  return getJson<Body>(`${product.url}/v2/earn/withdrawalVolumes?${query}`)
}

/** [from, to, asset, count, shares, assets] of each row, the times relative to the full hour. */
async function rowsOf(window: Window) {
  const { url, status, body } = await ask(window, { pageSize: '100' })
  expect([status, body]).toMatchObject([200, { nextPageToken: null }])
  expect(undescribed(url, status, body)).toEqual([])
  return body.withdrawalVolumes.map((row) => [
    row.startTime - base,
    row.endTime - base,
    symbolOf(row.assetAddress),
    row.orderCount,
    row.shareAmount,
    row.assetAmount,
  ])
}

function symbolOf(asset: string) {
  return asset === getAddress(USDC) ? 'USDC' : 'USDG'
}

/** Sorted by asset, like the list. */
const byAsset = (rows: unknown[][]) =>
  rows.toSorted((a, b) => {
    const [left, right] = [a, b].map((row) => (row[2] === 'USDC' ? USDC : USDG).toLowerCase())
    return Number(a[0]) - Number(b[0]) || ((left ?? '') < (right ?? '') ? -1 : 1)
  })

/** It moves the time of chain 1 by a day. Nobody else may use Harbor Dollar. */
export function testWithdrawalVolumes(given: () => TestProduct) {
  describe('withdrawal volumes', () => {
    beforeAll(async () => {
      product = given()
      dollar = queueClient(product, 'Harbor Dollar')
      const { client } = dollar
      for (const token of ['USDG', 'USDC'] as const)
        await dollar.deposit(user, token, 2_000_000_000n)
      await dollar.deposit(DEVNET_SOLVER, 'USDG', 50_000_000n)
      await dollar.castOut()
      // Unpaid requests do not count: the first is cancelled, the last cannot be paid.
      const cancelled = await dollar.submit({ shares: 5_000_000n })
      const orders = []
      for (const { how, shares, asset } of PAID)
        orders.push(how === 'at once' ? null : await dollar.submit({ shares, want: asset }))
      await dollar.submit({ shares: 6_000_000n, receiver: outcast.address })
      await dollar.cancel(user, cancelled)

      const { timestamp } = await client.getBlock()
      base = (Math.floor(Number(timestamp) / HOUR) + 3) * HOUR
      await client.setNextBlockTimestamp({ timestamp: BigInt(base - 60) })
      await dollar.process(1)
      for (const [index, { at, how, shares, asset }] of PAID.entries()) {
        await client.setNextBlockTimestamp({ timestamp: BigInt(base + at) })
        const order = orders[index]
        if (how === 'at once') await withdrawAtOnce(shares, DEPLOYMENT.tokens[asset])
        else if (how === 'pre-filled' && order) await dollar.forceProcess(order)
        // The next but one, since the queue skips a request that was paid before its turn.
        else await dollar.process(PAID[index - 1]?.how === 'pre-filled' ? 2 : 1)
      }
      await dollar.process(1)
      await dollar.untilIndexed()
    })

    test.each<[string, Window, unknown[][]]>([
      [
        'all there is',
        { from: -HOUR, to: 30 * HOUR },
        [
          [-HOUR, 30 * HOUR, 'USDG', 5, '867000000', '866140000'],
          [-HOUR, 30 * HOUR, 'USDC', 3, '410000000', '409590000'],
        ],
      ],
      [
        'one hour: its end is in it, its start is not',
        { from: 0, to: HOUR },
        [
          [0, HOUR, 'USDG', 2, '47000000', '46960000'],
          [0, HOUR, 'USDC', 1, '80000000', '79920000'],
        ],
      ],
      [
        'from the very second of one to that of the next',
        { from: 0, to: 1 },
        [[0, 1, 'USDG', 1, '40000000', '39960000']],
      ],
      [
        'a second before, to the second',
        { from: -1, to: 0 },
        [[-1, 0, 'USDG', 1, '20000000', '19980000']],
      ],
      ['nothing between two of them', { from: 1, to: 1_799 }, []],
      ['no time at all', { from: 1, to: 1 }, []],
      [
        'from the middle of an hour to the middle of another',
        { from: 1_800, to: 3 * HOUR + 58 },
        [[1_800, 3 * HOUR + 58, 'USDG', 2, '167000000', '166840000']],
      ],
      [
        'the same, a second wider at either end',
        { from: 1_799, to: 3 * HOUR + 59 },
        [
          [1_799, 3 * HOUR + 59, 'USDG', 2, '167000000', '166840000'],
          [1_799, 3 * HOUR + 59, 'USDC', 2, '400000000', '399600000'],
        ],
      ],
      [
        'by the hour, the ends cut',
        { from: -5, to: HOUR + 1, interval: HOUR },
        [
          [-5, 0, 'USDG', 1, '20000000', '19980000'],
          [0, HOUR, 'USDG', 2, '47000000', '46960000'],
          [0, HOUR, 'USDC', 1, '80000000', '79920000'],
          [HOUR, HOUR + 1, 'USDG', 1, '160000000', '159840000'],
        ],
      ],
    ])('default: %s', async (_, window, rows) => {
      expect(await rowsOf(window)).toEqual(byAsset(rows))
    })

    test('behavior: random windows and intervals, as counted one by one', async () => {
      const time = fc.oneof(
        fc.integer({ min: -2 * HOUR, max: 28 * HOUR }),
        fc.constantFrom(...PAID.flatMap(({ at }) => [at - 1, at, at + 1])),
        fc.integer({ min: -2, max: 28 }).map((hours) => hours * HOUR),
      )
      const interval = fc.option(
        fc.constantFrom(1, 2, 5, 24).map((hours) => hours * HOUR),
        {
          nil: undefined,
        },
      )
      await fc.assert(
        fc.asyncProperty(time, time, interval, async (one, two, every) => {
          const window = { from: Math.min(one, two), to: Math.max(one, two) }
          const asked = every === undefined ? window : { ...window, interval: every }
          expect(await rowsOf(asked)).toEqual(byAsset(countOneByOne(asked)))
        }),
        { numRuns: 60 },
      )
    })

    test('behavior: on one chain; on another, or of no vault, there is none', async () => {
      const window = { from: 0, to: HOUR }
      const { body } = await ask(window, { chainId: '1' })
      expect(body).toEqual((await ask(window)).body)
      for (const no of [{ chainId: '4663' }, { vaultAddress: outcast.address }]) {
        const { status, reason } = await ask(window, no)
        expect([status, reason]).toEqual([404, 'VAULT_NOT_FOUND'])
      }
    })

    test('error: all that is wrong is named', async () => {
      const query = 'startTime=20&endTime=10&interval=5000&pageSize=0'
      const answer = await getJson<ErrorBody>(`${product.url}/v2/earn/withdrawalVolumes?${query}`)
      expectRefusal(answer, {
        reason: 'INVALID_FIELD',
        fields: ['endTime', 'interval', 'pageSize', 'startTime', 'vaultAddress'],
      })
    })
  })
}

async function withdrawAtOnce(shares: bigint, asset: `0x${string}`) {
  const { address: to } = DEVNET_SOLVER
  await sendCall(product.world, 1, {
    account: DEVNET_SOLVER,
    address: dollar.deployment.current.teller,
    data: encodeFunctionData({
      abi: tellerAbi,
      functionName: 'bulkWithdraw',
      args: [asset, shares, 0n, to],
    }),
  })
}

function countOneByOne({ from, to, interval }: Window): unknown[][] {
  const rows = new Map<string, { from: number; to: number; asset: string; paid: Paid[] }>()
  for (const paid of PAID) {
    if (paid.at <= from || paid.at > to) continue
    // `base` need not be a multiple of the interval.
    const end = interval && Math.ceil((base + paid.at) / interval) * interval - base
    const row = {
      from: end === undefined ? from : Math.max(from, end - (interval ?? 0)),
      to: end === undefined ? to : Math.min(to, end),
    }
    const key = `${row.from} ${paid.asset}`
    const known = rows.get(key) ?? { ...row, asset: paid.asset, paid: [] }
    rows.set(key, { ...known, paid: [...known.paid, paid] })
  }
  return [...rows.values()].map(({ paid, ...row }) => [
    row.from,
    row.to,
    row.asset,
    paid.length,
    String(paid.reduce((sum, { shares }) => sum + shares, 0n)),
    String(paid.reduce((sum, { shares, how }) => sum + paidOf(shares, how), 0n)),
  ])
}

function paidOf(shares: bigint, how: How): bigint {
  return how === 'at once' ? shares : shares - shares / 1_000n
}
