import { type Expectation, isoTime } from './answers.ts'
import { compareText, type OracleDeployment } from './oracleBook.ts'
import type { OracleChain } from './oracleChain.ts'
import { payoutOf } from './oracleHoldings.ts'
import { type OracleOrder, PRE_FILLED } from './oracleOrders.ts'

const NOTHING: Expectation = { expectedAssets: null, expectedBy: null }
const MOST_PAID = 50
const LEAST_PAID = 5

type At = { chain: OracleChain; deployment: OracleDeployment }

/** `expectedAssets` and `expectedBy` of the requests of one deployment, as docs/earn/withdraw.md defines them. */
export async function expectations(
  at: At,
  orders: OracleOrder[],
): Promise<Map<OracleOrder, Expectation>> {
  const wait = usualWait(orders)
  const inUse = at.deployment.queues.at(-1)
  const pairs = orders.map(async (order): Promise<[OracleOrder, Expectation]> => {
    const { status, queue, submission } = order
    if (status !== 'PENDING' && status !== 'PENDING_REFUND') return [order, NOTHING]
    const assets = status === 'PENDING' && queue === inUse ? await payoutOf(at, order) : null
    return [
      order,
      {
        expectedAssets: assets === null ? null : String(assets),
        expectedBy: wait === null ? null : isoTime(submission.time + wait),
      },
    ]
  })
  return new Map(await Promise.all(pairs))
}

/** Seconds; null where too few requests waited for their turn. */
function usualWait(orders: OracleOrder[]): number | null {
  const paid = orders
    .flatMap(({ payment, ...order }) => (payment ? [{ ...order, time: payment.time }] : []))
    .filter((order) => order.finerStatus !== PRE_FILLED && order.time > order.submission.time)
    .toSorted(
      (a, b) =>
        b.time - a.time || compareText(b.queue, a.queue) || Number(b.orderIndex - a.orderIndex),
    )
    .slice(0, MOST_PAID)
  const waits = paid.map(({ time, submission }) => time - submission.time).toSorted((a, b) => a - b)
  if (waits.length < LEAST_PAID) return null
  return waits.find((_, place) => (place + 1) * 10 >= waits.length * 9) ?? null
}
