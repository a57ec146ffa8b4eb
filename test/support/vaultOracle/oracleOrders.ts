import { getAddress, type Hex } from 'viem'
import {
  type Expectation,
  isoTime,
  type WithdrawalRequestRow,
  type WithdrawalStatus,
} from './answers.ts'
import { compareText, type OracleDeployment } from './oracleBook.ts'
import { logsOf, type OracleChain, type OracleLog } from './oracleChain.ts'
import { addressIn } from './oracleRpc.ts'

/** A withdrawal request of a deployment, as its queue shows it at the chain's head. Addresses are lower case. */
export type OracleOrder = {
  deployment: OracleDeployment
  queue: string
  orderIndex: bigint
  /** The status number of `getOrderStatus`. */
  finerStatus: number
  status: WithdrawalStatus
  /** The block of the submission. */
  submission: OracleLog
  updatedAt: number
  user: string
  receiver: string
  refundReceiver: string
  wantAsset: string
  offerAmount: bigint
  /** Null unless COMPLETE. `fee` in shares. */
  payment: { time: number; assets: bigint; fee: bigint } | null
  /** The transaction that paid or refunded it; null while it waits. */
  settlement: Hex | null
  isSubmittedViaSignature: boolean
  markedBy: 'user' | 'operator' | null
  didFailTransfer: boolean
  didFailRefund: boolean
}

const SIX = '(uint256,address,address,uint8,bool,bool)'
const FIVE = '(uint256,address,address,uint8,bool)'
export const SUBMITTED = [SIX, FIVE].map(
  (order) => `event OrderSubmitted(uint256 indexed,${order},address indexed,address indexed,bool)`,
)
export const MARKED = ['event OrderMarkedForRefund(uint256 indexed,bool indexed)']
export const PROCESSED = [
  `event OrderProcessed(uint256 indexed,${SIX},address indexed,bool indexed,uint256,uint256)`,
  `event OrderProcessed(uint256 indexed,${FIVE},address indexed,bool indexed,uint256,uint256)`,
  `event OrderProcessed(uint256 indexed,${FIVE},address indexed,bool indexed)`,
]
export const ENDED_OTHERWISE = [
  `event OrderRefunded(uint256 indexed,${SIX})`,
  `event OrderRefunded(uint256 indexed,${FIVE})`,
  'event OrderRefundFailed(uint256 indexed,address indexed,address indexed)',
  'event FeesExceededOrderAmount(uint256 indexed,uint256,uint256)',
]
const RECEIPT = ['event Transfer(address indexed,address indexed,uint256 indexed)']
export const EXIT = ['event Exit(address indexed,address indexed,uint256,address indexed,uint256)']

/** Statuses by `getOrderStatus`, as docs/earn/withdraw.md lists them. */
const STATUSES: (WithdrawalStatus | null)[] = [
  null,
  'PENDING',
  'COMPLETE',
  'COMPLETE',
  'PENDING_REFUND',
  'REFUNDED',
  'REFUNDED',
  'REFUNDED',
] as (WithdrawalStatus | null)[]
export const PRE_FILLED = 3

/** Every request of every queue that a deployment has had. */
export async function readOrders(
  chain: OracleChain,
  deployment: OracleDeployment,
): Promise<OracleOrder[]> {
  const perQueue = deployment.queues.map(async (queue) => {
    const latest = await chain.ask({ to: queue }, 'latestOrder()')
    const indices = Array.from({ length: Number(latest) }, (_, place) => BigInt(place) + 1n)
    return Promise.all(
      indices.map((orderIndex) => readOrder(chain, { deployment, queue, orderIndex })),
    )
  })
  return (await Promise.all(perQueue)).flat()
}

type Place = Pick<OracleOrder, 'deployment' | 'queue' | 'orderIndex'>

async function readOrder(chain: OracleChain, place: Place): Promise<OracleOrder> {
  const { deployment, queue, orderIndex } = place
  const [finerStatus, words, owner] = await Promise.all([
    chain.ask({ to: queue }, 'getOrderStatus(uint256)', [orderIndex]),
    chain.try({ to: queue }, 'orderAtQueueIndex(uint256)', [orderIndex]),
    chain.try({ to: queue }, 'ownerOf(uint256)', [orderIndex]),
  ])
  const status = STATUSES[Number(finerStatus)]
  const said = (signatures: string[]) =>
    logsOf(chain, [queue], signatures).filter(({ indexed }) => indexed[0] === orderIndex)
  const receipts = logsOf(chain, [queue], RECEIPT).filter(
    ({ indexed }) => indexed[2] === orderIndex,
  )
  const [submission] = said(SUBMITTED)
  const [mark] = said(MARKED)
  const processed = said(PROCESSED)
  if (!status || !words || !submission)
    throw new Error(`Chain ${chain.chainId}: ${queue} has no order ${orderIndex}`)
  const times = [...said([...SUBMITTED, ...MARKED, ...PROCESSED, ...ENDED_OTHERWISE]), ...receipts]
  const [offerAmount = 0n, wantAsset, refundReceiver, , failedTransfer, failedRefund = 0n] = words
  return {
    ...place,
    finerStatus: Number(finerStatus),
    status,
    submission,
    updatedAt: Math.max(...times.map(({ time }) => time)),
    user: addressIn(submission.indexed[2]),
    // The receipt's last holder is the account from which it was burnt.
    receiver: addressIn(owner?.[0] ?? receipts.at(-1)?.indexed[0]),
    refundReceiver: addressIn(refundReceiver),
    wantAsset: addressIn(wantAsset),
    offerAmount,
    payment:
      status === 'COMPLETE'
        ? paymentOf(chain, { deployment, queue, offerAmount, processed: processed.at(-1) })
        : null,
    settlement:
      status === 'COMPLETE' || status === 'REFUNDED'
        ? (said([...PROCESSED, ...ENDED_OTHERWISE]).at(-1)?.transaction ?? null)
        : null,
    isSubmittedViaSignature: submission.words.at(-1) === 1n,
    markedBy: mark ? (mark.indexed[1] === 1n ? 'user' : 'operator') : null,
    didFailTransfer: failedTransfer === 1n,
    didFailRefund: failedRefund === 1n,
  }
}

type Paid = Pick<OracleOrder, 'deployment' | 'queue' | 'offerAmount'> & {
  processed: OracleLog | undefined
}

/** The shares that left the vault for the order. The part that was not burnt is the fee. */
function paymentOf(chain: OracleChain, { deployment, queue, offerAmount, processed }: Paid) {
  const exit = logsOf(chain, [deployment.vault], EXIT).findLast(
    ({ transaction, index, indexed }) =>
      transaction === processed?.transaction &&
      index < processed.index &&
      addressIn(indexed[2]) === queue,
  )
  const [assets, burnt] = exit?.words ?? []
  if (!exit || assets === undefined || burnt === undefined)
    throw new Error(`Chain ${chain.chainId}: nothing left ${deployment.vault} for a paid order`)
  return { time: exit.time, assets, fee: offerAmount - burnt }
}

/** The list in the order of an answer, newest first. */
export function withdrawalRequests(
  orders: OracleOrder[],
  expected: Map<OracleOrder, Expectation>,
): WithdrawalRequestRow[] {
  return orders
    .toSorted((a, b) => -compareOrders(a, b))
    .map((order) => ({
      ...describe(order, orders),
      ...(expected.get(order) ?? { expectedAssets: null, expectedBy: null, blockedBy: null }),
    }))
}

function compareOrders(a: OracleOrder, b: OracleOrder): number {
  return (
    a.submission.time - b.submission.time ||
    a.deployment.chainId - b.deployment.chainId ||
    compareText(a.queue, b.queue) ||
    Number(a.orderIndex - b.orderIndex)
  )
}

function describe(
  order: OracleOrder,
  all: OracleOrder[],
): Omit<WithdrawalRequestRow, keyof Expectation> {
  const { deployment, queue, orderIndex, status, payment } = order
  const { chainId } = deployment
  const isWaiting = waits(order)
  const ahead = all.filter(
    (other) =>
      other.deployment.chainId === chainId &&
      other.queue === queue &&
      other.orderIndex < orderIndex &&
      waits(other),
  )
  const wantAsset = getAddress(order.wantAsset)
  return {
    id: `${chainId}:${getAddress(queue)}:${orderIndex}`,
    orderIndex: String(orderIndex),
    status,
    userAddress: getAddress(order.user),
    receiverAddress: getAddress(order.receiver),
    refundReceiverAddress: getAddress(order.refundReceiver),
    vaultAddress: getAddress(deployment.vault),
    chainId,
    wantAsset,
    wantAssetAddress: wantAsset,
    offerAmount: String(order.offerAmount),
    orderAmount: String(order.offerAmount),
    assetsOut: payment && String(payment.assets),
    feeAmount: payment && String(payment.fee),
    createdAt: isoTime(order.submission.time),
    updatedAt: isoTime(order.updatedAt),
    fulfilledAt: payment && isoTime(payment.time),
    txHash: order.submission.transaction,
    settlementTxHash: order.settlement,
    isSubmittedViaSignature: order.isSubmittedViaSignature,
    isForceProcessed: order.finerStatus === PRE_FILLED,
    isMarkedForRefund: order.markedBy !== null,
    isMarkedForRefundByUser: order.markedBy === 'user',
    didOrderFailTransfer: order.didFailTransfer,
    didOrderFailRefund: order.didFailRefund,
    queuePosition: isWaiting ? ahead.length + 1 : null,
    sharesAhead: isWaiting
      ? String(sum(ahead.filter((other) => other.status === 'PENDING')))
      : null,
  }
}

function waits({ status }: OracleOrder): boolean {
  return status === 'PENDING' || status === 'PENDING_REFUND'
}

function sum(orders: OracleOrder[]): bigint {
  return orders.reduce((total, { offerAmount }) => total + offerAmount, 0n)
}
