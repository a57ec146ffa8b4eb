import type { components } from '@causeway/sdk'
import type { Status } from '../components/Badge.tsx'

export type SmartDeposit = components['schemas']['SmartDeposit']

type Shown = Status & { about: string }

/** The name and explanation of each status. */
export const DEPOSIT_STATUS: Record<SmartDeposit['status'], Shown> = {
  PENDING: {
    name: 'Arrived',
    tone: 'info',
    about: 'The payment has arrived. The keeper forwards it into the vault.',
  },
  CONVERTING: {
    name: 'On its way',
    tone: 'info',
    about:
      "It was paid in another token or on another chain. The keeper's Transit order brings it to the vault.",
  },
  CONFIRMED: {
    name: 'In the vault',
    tone: 'good',
    about: 'The user has the shares. A reorganisation of the chain could still take them back.',
  },
  FINALIZED: {
    name: 'Finalized',
    tone: 'good',
    about: 'The user has the shares, and no reorganisation takes them back.',
  },
  FAILED: {
    name: 'Failed',
    tone: 'bad',
    about: 'The payment did not get into the vault.',
  },
  REVERTED: {
    name: 'Reverted',
    tone: 'bad',
    about: 'A reorganisation of the chain took back the payment itself.',
  },
}

/** The treatment of a payment that did not get into the vault. */
const REMEDIATIONS: Record<string, Shown> = {
  refunded: {
    name: 'Refunded',
    tone: 'warn',
    about: 'The user has the payment back: the vault would never have taken it.',
  },
  recovered: {
    name: 'Recovered',
    tone: 'bad',
    about:
      'The payment is in the recovery wallet, because it may not go to the user. Compliance takes over.',
  },
  retained: {
    name: 'Delayed',
    tone: 'warn',
    about: 'The payment is still at the address. The keeper tries it again by itself.',
  },
}

const NOT_ACCEPTED: Shown = {
  name: 'Not accepted',
  tone: 'warn',
  about:
    'The address does not accept this token now. It is still there: order its refund, or let the user take it back. The keeper sends it on if a route opens.',
}

const ORDER_REMOVED: Shown = {
  name: 'Order removed',
  tone: 'bad',
  about:
    'Its Transit order was removed, so the owner of the stations owes what the order has not paid. What the owner sends to the address is another deposit.',
}

/** The status of a deposit as people read it: a failed one by where its money is. */
export function shownStatus({
  status,
  remediation,
  reason,
}: Pick<SmartDeposit, 'status' | 'remediation' | 'reason'>): Shown {
  if (remediation === 'retained' && reason === 'TOKEN_NOT_ACCEPTED') return NOT_ACCEPTED
  if (remediation === 'retained' && reason === 'ORDER_REMOVED') return ORDER_REMOVED
  return (remediation && REMEDIATIONS[remediation]) || DEPOSIT_STATUS[status]
}

/** The payment: its token and amount, and the chain on which it came. */
export function paidOf(deposit: SmartDeposit) {
  const { originChainId, originAsset, originAmount } = deposit
  return originChainId !== undefined && originAsset !== undefined && originAmount !== undefined
    ? { chainId: originChainId, token: originAsset, amount: originAmount }
    : { chainId: deposit.chainId, token: deposit.inputToken, amount: deposit.receivedAmount }
}
