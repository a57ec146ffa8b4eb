import { getAddress } from 'viem'
import { type Expectation, isoTime } from './answers.ts'
import { compareText, type OracleDeployment } from './oracleBook.ts'
import type { OracleChain } from './oracleChain.ts'
import { payoutOf } from './oracleHoldings.ts'
import { type OracleOrder, PRE_FILLED } from './oracleOrders.ts'

const NOTHING: Expectation = { expectedAssets: null, expectedBy: null, blockedBy: null }
const MOST_PAID = 50
const LEAST_PAID = 5

type At = { chain: OracleChain; deployment: OracleDeployment }

/** `expectedAssets`, `expectedBy` and `blockedBy` of the requests of one deployment, as docs/earn/withdraw.md defines them. */
export async function expectations(
  at: At,
  orders: OracleOrder[],
): Promise<Map<OracleOrder, Expectation>> {
  const wait = usualWait(orders)
  const inUse = at.deployment.queues.at(-1)
  const block = await blockOf(at, orders, inUse)
  const pairs = orders.map(async (order): Promise<[OracleOrder, Expectation]> => {
    const { status, queue, submission } = order
    if (status !== 'PENDING' && status !== 'PENDING_REFUND') return [order, NOTHING]
    const assets = status === 'PENDING' && queue === inUse ? await payoutOf(at, order) : null
    const isLate = wait === null || (submission.time + wait) * 1_000 < Date.now()
    return [
      order,
      {
        expectedAssets: assets === null ? null : String(assets),
        expectedBy: wait === null ? null : isoTime(submission.time + wait),
        blockedBy: queue === inUse ? await block(order, isLate) : null,
      },
    ]
  })
  return new Map(await Promise.all(pairs))
}

/**
 * What keeps a waiting request of the queue in use from being paid. No request of the histories is worth less than a base
 * unit after its fee.
 */
async function blockOf(
  { chain, deployment }: At,
  orders: OracleOrder[],
  queue: string | undefined,
) {
  const at = { chain, deployment }
  const safeRate = await chain.try(
    { to: deployment.accountants.at(-1)?.address ?? '' },
    'getRateSafe()',
    [],
  )
  const isTellerPaused = await chain.ask({ to: deployment.tellers.at(-1) ?? '' }, 'isPaused()')
  const isPaused = !safeRate || isTellerPaused === 1n
  const pending = orders.filter((order) => order.queue === queue && order.status === 'PENDING')
  const payouts = await Promise.all(
    pending.map(async (order) => {
      const held = await chain.ask({ to: order.wantAsset }, 'balanceOf(address)', [
        deployment.vault,
      ])
      return { order, isLacking: ((await payoutOf(at, order)) ?? 0n) > held }
    }),
  )
  const [lacking] = payouts
    .filter(({ isLacking }) => isLacking)
    .toSorted((a, b) => Number(a.order.orderIndex - b.order.orderIndex))
  return async (order: OracleOrder, isLate: boolean): Promise<Expectation['blockedBy']> => {
    const isPending = order.status === 'PENDING'
    if (isPaused && isPending) return { reason: 'VAULT_PAUSED' }
    if (lacking && lacking.order.orderIndex <= order.orderIndex) {
      const { queue, orderIndex } = lacking.order
      const requestId = `${deployment.chainId}:${getAddress(queue)}:${orderIndex}`
      return { reason: 'VAULT_LACKS_ASSETS', requestId }
    }
    if (!isPending || !isLate || !(await isBlocked(chain, order))) return null
    return { reason: 'ACCOUNT_FROZEN', account: getAddress(order.receiver) }
  }
}

/** By the getters that tokens have; each has one of them or none. */
async function isBlocked(chain: OracleChain, { wantAsset, receiver }: OracleOrder) {
  const getters = ['isBlacklisted(address)', 'isBlackListed(address)', 'isFrozen(address)']
  const answers = await Promise.all(
    getters.map((getter) => chain.try({ to: wantAsset }, getter, [receiver])),
  )
  return answers.some((words) => words?.[0] === 1n)
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
