import type { Address, Hex } from 'viem'
import type { SmartDeposit } from '../smartDeposit/smartDeposit.ts'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'

/** From the least advanced on: a journey in parts has the first of these that one of its parts has. */
const JOURNEY_STATUSES = [
  'SENT',
  'BRIDGED',
  'ARRIVED',
  'REMOVED',
  'RETAINED',
  'RECOVERED',
  'REFUNDED',
  'DEPOSITED',
  'FINALIZED',
] as const
export type JourneyStatus = (typeof JOURNEY_STATUSES)[number]

/** The smart deposit address to which an order pays, with its inputs. */
export type JourneyEnd = {
  chainId: number
  smartDepositAddress: Address
  userDestinationAddress: Address
  vaultAddress: Address
  depositAsset: Address
  customerId: string | null
}

/** One step of either leg. `amount` is in base units of the token that moved; null where none did. */
export type JourneyStep = {
  leg: 'TRANSIT' | 'DEPOSIT'
  /** A step of the order, or the last word of a smart deposit's event, in capitals. */
  step: string
  chainId: number
  transactionHash: Hex
  timestamp: Date
  amount: bigint | null
}

/** A Transit order whose receiver is a smart deposit address, and the smart deposits of its payments. */
export type Journey = {
  /** The order's. */
  id: Hex
  status: JourneyStatus
  end: JourneyEnd
  order: TransitOrder
  /** The newest attempt for each payment of the order, in the order of the payments. */
  smartDeposits: SmartDeposit[]
  timeline: JourneyStep[]
}

/** The journey of an order. `smartDeposits` are those of its payments, without any that a reorganisation removed. */
export function toJourney(
  order: TransitOrder,
  end: JourneyEnd,
  smartDeposits: SmartDeposit[],
): Journey {
  return {
    id: order.id,
    status: statusOf(order, smartDeposits),
    end,
    order,
    smartDeposits,
    timeline: [...order.timeline.map(orderStep), ...smartDeposits.flatMap(depositSteps)],
  }
}

function statusOf(order: TransitOrder, smartDeposits: SmartDeposit[]): JourneyStatus {
  const parts = new Set(smartDeposits.map(depositStatus))
  // The keeper sees a payment some blocks after the index.
  if (smartDeposits.length < order.executions.length) parts.add('ARRIVED')
  if (order.status === 'PENDING_BRIDGE') parts.add('SENT')
  if (order.status === 'PROCESSING') parts.add('BRIDGED')
  if (order.status === 'REMOVED') parts.add('REMOVED')
  return JOURNEY_STATUSES.find((status) => parts.has(status)) ?? 'ARRIVED'
}

const REMEDIED = { refunded: 'REFUNDED', recovered: 'RECOVERED', retained: 'RETAINED' } as const

function depositStatus({ status, remediation }: SmartDeposit): JourneyStatus {
  switch (status) {
    case 'CONFIRMED':
      return 'DEPOSITED'
    case 'FINALIZED':
      return 'FINALIZED'
    case 'FAILED':
      return REMEDIED[remediation ?? 'retained']
    case 'PENDING':
    // The keeper can send the payment of the first order on by another order.
    case 'CONVERTING':
    case 'REVERTED':
      return 'ARRIVED'
  }
}

function orderStep({
  step,
  chainId,
  transactionHash,
  timestamp,
  amount,
}: TransitOrder['timeline'][number]): JourneyStep {
  return {
    leg: 'TRANSIT',
    step,
    chainId,
    transactionHash,
    timestamp: new Date(timestamp * 1_000),
    amount,
  }
}

function depositSteps(deposit: SmartDeposit): JourneyStep[] {
  const { origin, orderId, receivedAmount, mintedAmount } = deposit
  return deposit.timeline.map((event) => {
    const step = event.type.split('.').at(-1)?.toUpperCase() ?? ''
    const ended = event.recoveryTxHash ?? event.forwardTxHash
    // An order ends the deposit on the chain of the vault. Without one it ends where it was paid.
    const isHome = origin === null || (ended !== null && orderId !== null)
    return {
      leg: 'DEPOSIT',
      step,
      chainId: isHome ? deposit.chainId : origin.chainId,
      transactionHash: ended ?? event.convertTxHash ?? event.paymentTxHash,
      timestamp: event.timestamp,
      amount:
        step === 'PENDING'
          ? (origin?.amount ?? receivedAmount)
          : step === 'CONFIRMED'
            ? mintedAmount
            : null,
    }
  })
}

/** Changes with each step of either leg: a further attempt to settle a payment may have as many steps as the one before. */
export function depositsVersion({ smartDeposits }: Journey): string {
  return smartDeposits.map(({ depositId, timeline }) => `${depositId}:${timeline.length}`).join()
}

/** Whether nothing can happen to a journey any more, but for a reorganisation. */
export function isJourneyOver({ status, order }: Journey): boolean {
  return (
    ['FINALIZED', 'REFUNDED', 'RECOVERED'].includes(status) ||
    (status === 'REMOVED' && order.finalized)
  )
}
