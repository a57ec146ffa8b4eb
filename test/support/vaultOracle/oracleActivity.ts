import { getAddress, toEventSelector } from 'viem'
import { type ActivityRow, isoTime } from './answers.ts'
import type { OracleDeployment } from './oracleBook.ts'
import { logsOf, type OracleChain, type OracleLog } from './oracleChain.ts'
import { human } from './oracleNumbers.ts'
import { MARKED, type OracleOrder, PROCESSED, SUBMITTED } from './oracleOrders.ts'
import { openRates } from './oracleRates.ts'
import { addressIn } from './oracleRpc.ts'
import { SHARE_BURN, SHARE_TRANSFER } from './oracleSeries.ts'

export type At = { chain: OracleChain; deployment: OracleDeployment; orders: OracleOrder[] }

/** An activity with the log that it is from, and what it changes. */
export type OracleActivity = { row: ActivityRow; log: OracleLog; part: number }

const WITH_FEE =
  'event DepositWithDistributorCode(address indexed,address indexed,uint256,uint256,uint256,address,bytes32,bytes indexed)'
export const DEPOSITED = [
  WITH_FEE,
  'event DepositWithDistributorCode(address indexed,address indexed,uint256,uint256,address,bytes32,bytes indexed)',
  'event DepositWithCommunityCode(address indexed,address indexed,uint256,uint256,address,bytes32,bytes indexed)',
]
const AT_ONCE = ['event BulkWithdraw(address indexed,uint256)']
const SIX = '(uint256,address,address,uint8,bool,bool)'
const FIVE = '(uint256,address,address,uint8,bool)'
const REFUNDED = [SIX, FIVE].map((order) => `event OrderRefunded(uint256 indexed,${order})`)
const REFUND_FAILED = ['event OrderRefundFailed(uint256 indexed,address indexed,address indexed)']
const NOBODY = addressIn(0n)

/** A deposit: the receiver of its shares, and the amount that was paid. */
export type OracleDeposit = { log: OracleLog; passed: OracleLog; to: string; paid: bigint }

/** The logs of a deployment that explain its transfers of shares. */
export type OracleStory = {
  transfers: OracleLog[]
  deposits: OracleDeposit[]
  /** The transfer of a request's shares into the queue, and that of its refund out of it. */
  escrows: Map<OracleOrder, OracleLog>
  refunds: Map<OracleOrder, { log: OracleLog; transfer: OracleLog }>
  burns: { log: OracleLog; exit: OracleLog; transfer: OracleLog }[]
  /** Accounts that only pass shares on. */
  passing: Set<string>
}

export function readStory({ chain, deployment, orders }: At): OracleStory {
  const { vault, depositors, tellers, queues } = deployment
  const transfers = logsOf(chain, [vault], SHARE_TRANSFER)
  const before = (log: OracleLog, from: string, to: string) => {
    const found = transfers.findLast(
      ({ transaction, index, indexed }) =>
        transaction === log.transaction &&
        index < log.index &&
        addressIn(indexed[0]) === from &&
        addressIn(indexed[1]) === to,
    )
    if (!found) throw new Error(`no shares moved before log ${log.index} of ${log.transaction}`)
    return found
  }
  const deposits = logsOf(chain, depositors, DEPOSITED).map((log) => {
    const to = addressIn(log.words[log.topic === toEventSelector(WITH_FEE) ? 3 : 2])
    return { log, passed: before(log, log.address, to), to, paid: log.words[0] ?? 0n }
  })
  const escrows = new Map(
    orders.map((order) => [order, before(order.submission, order.user, order.queue)]),
  )
  const refunds = new Map(
    logsOf(chain, queues, [...REFUNDED, ...REFUND_FAILED]).map((log) => {
      const order = orderOf(orders, log)
      const isLost = log.topic === toEventSelector(REFUND_FAILED[0] ?? '')
      const to = isLost ? addressIn(log.indexed[2]) : order.refundReceiver
      return [order, { log, transfer: before(log, log.address, to) }]
    }),
  )
  const burns = logsOf(chain, tellers, AT_ONCE).flatMap((log) => {
    const exit = logsOf(chain, [vault], SHARE_BURN).findLast(
      ({ transaction, index }) => transaction === log.transaction && index < log.index,
    )
    const account = addressIn(exit?.indexed[2])
    if (!exit || queues.includes(account)) return []
    return [{ log, exit, transfer: before(exit, account, NOBODY) }]
  })
  const passing = new Set([NOBODY, ...depositors, ...queues])
  return { transfers, deposits, escrows, refunds, burns, passing }
}

function orderOf(orders: OracleOrder[], { address, indexed: [orderIndex] }: OracleLog) {
  const order = orders.find((entry) => entry.queue === address && entry.orderIndex === orderIndex)
  if (!order) throw new Error(`${address} has no order ${orderIndex}`)
  return order
}

/** Every activity of a deployment, in no order. */
export async function activities(at: At): Promise<OracleActivity[]> {
  const { chain, deployment, orders } = at
  const { vault, queues } = deployment
  const story = readStory(at)
  const rates = await openRates(at)
  const decimals = await chain.ask({ to: vault }, 'decimals()')
  const describe = (log: OracleLog, { part = 0, ...of }: Described): OracleActivity => {
    const { shares, user, other = user, asset, assets, order } = of
    const rate = rates.at(log)
    const side = of.type === 'TRANSFER_IN' ? ':IN' : of.type === 'TRANSFER_OUT' ? ':OUT' : ''
    const row = {
      id: `${chain.chainId}:${log.transaction}:${log.index}${side}`,
      type: of.type,
      chainId: chain.chainId,
      vaultAddress: getAddress(vault),
      userAddress: getAddress(user),
      ...(other === user ? {} : { counterparty: getAddress(other) }),
      ...(asset === undefined ? {} : { assetAddress: getAddress(asset) }),
      ...(assets === undefined ? {} : { assetAmount: String(assets) }),
      shareAmount: String(shares),
      exchangeRateToBase: human(rate, Number(decimals)),
      valueInBase: human((shares * rate) / 10n ** decimals, Number(decimals)),
      txHash: log.transaction,
      logIndex: log.index,
      blockNumber: log.block,
      timestamp: isoTime(log.time),
      ...(order === undefined ? {} : { orderIndex: String(order.orderIndex) }),
    }
    return { row, log, part }
  }
  const ofOrder = (signatures: string[]) =>
    logsOf(chain, queues, signatures).map((log) => ({ log, order: orderOf(orders, log) }))
  const about = (order: OracleOrder) => ({ order, user: order.user, shares: order.offerAmount })

  return [
    ...sidesOf(story).map(({ log, ...side }) => describe(log, side)),
    ...story.deposits.map(({ log, passed, to, paid }) =>
      describe(log, {
        type: 'DEPOSIT',
        user: to,
        other: addressIn(log.indexed[0]),
        asset: addressIn(log.indexed[1]),
        assets: paid,
        shares: passed.words[0] ?? 0n,
      }),
    ),
    ...ofOrder(SUBMITTED).map(({ log, order }) =>
      describe(log, {
        ...about(order),
        type: 'WITHDRAWAL_REQUESTED',
        other: addressIn(log.indexed[1]),
        asset: order.wantAsset,
      }),
    ),
    ...ofOrder(MARKED).map(({ log, order }) =>
      describe(log, { ...about(order), type: 'WITHDRAWAL_REFUND_REQUESTED' }),
    ),
    ...[...story.refunds].map(([order, { log, transfer }]) =>
      describe(log, {
        ...about(order),
        type: 'WITHDRAWAL_REFUNDED',
        other: addressIn(transfer.indexed[1]),
      }),
    ),
    ...ofOrder(PROCESSED).flatMap(({ log, order }) =>
      order.payment
        ? [
            describe(log, {
              ...about(order),
              type: 'WITHDRAWAL_COMPLETED',
              other: addressIn(log.indexed[1]),
              asset: order.wantAsset,
              assets: order.payment.assets,
            }),
          ]
        : [],
    ),
    ...story.burns.map(({ log, exit }) =>
      describe(log, {
        type: 'WITHDRAWAL_ATOMIC',
        user: addressIn(exit.indexed[2]),
        other: addressIn(exit.indexed[0]),
        asset: addressIn(exit.indexed[1]),
        assets: exit.words[0] ?? 0n,
        shares: exit.words[1] ?? 0n,
      }),
    ),
  ]
}

type Described = {
  type: ActivityRow['type']
  user: string
  other?: string
  shares: bigint
  asset?: string
  assets?: bigint
  order?: OracleOrder
  part?: number
}

/** The transfers that belong to nothing else, seen from both ends. */
function sidesOf({ transfers, deposits, escrows, refunds, burns, passing }: OracleStory) {
  const explained = new Set([
    ...deposits.map(({ passed }) => passed),
    ...escrows.values(),
    ...burns.map(({ transfer }) => transfer),
    ...[...refunds].flatMap(([{ user }, { transfer }]) =>
      addressIn(transfer.indexed[1]) === user ? [transfer] : [],
    ),
  ])
  return transfers
    .filter((log) => !explained.has(log))
    .flatMap((log) => {
      const [from, to, shares] = [
        addressIn(log.indexed[0]),
        addressIn(log.indexed[1]),
        log.words[0] ?? 0n,
      ]
      if (shares === 0n || from === to) return []
      const out = { log, type: 'TRANSFER_OUT' as const, user: from, other: to, shares, part: 0 }
      const into = { log, type: 'TRANSFER_IN' as const, user: to, other: from, shares, part: 1 }
      return [out, into].filter(({ user }) => !passing.has(user))
    })
}

/** The order of the list, newest first. */
export function compareActivities(a: OracleActivity, b: OracleActivity): number {
  return (
    b.log.time - a.log.time ||
    b.row.chainId - a.row.chainId ||
    b.log.block - a.log.block ||
    b.log.index - a.log.index ||
    b.part - a.part
  )
}
