import { type Hex, parseUnits } from 'viem'
import { distributorCodeOf } from '../../devnet/placeOrder.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import type { OrderStep } from '../support/orderSteps.ts'

/** An order, its steps, and its expected state after each step. */
export type Life = {
  from: number
  to: number
  offer: TokenSymbol
  want: TokenSymbol
  offerAmount: bigint
  integratorFee?: bigint
  distributorCode?: Hex
  steps: OrderStep[]
  /** One state more than there are steps. */
  statuses: string[]
  /** The initial amount due: the net offer, in the decimals of the want asset. */
  amountDue: bigint
}

const BRIDGED = ['PENDING_BRIDGE', 'PROCESSING', 'PROCESSING', 'PROCESSED']

export const LOCAL_LIFE: Life = {
  from: 1,
  to: 1,
  offer: 'USDC',
  want: 'USDS',
  offerAmount: parseUnits('40', 6),
  steps: ['execute'],
  statuses: ['PROCESSING', 'PROCESSED'],
  amountDue: parseUnits('39.96', 18),
}

export const LIVES: Record<string, Life> = {
  'from 1 to 4663, in parts, 18 to 6 decimals': {
    from: 1,
    to: 4663,
    offer: 'USDS',
    want: 'USDG',
    offerAmount: 250_123456789012345678n,
    integratorFee: 1_000000000000000001n,
    distributorCode: distributorCodeOf('end to end'),
    steps: ['deliver', 'executePart', 'execute'],
    statuses: BRIDGED,
    amountDue: 248_873333n,
  },
  'from 4663 to 1, in parts, 6 to 18 decimals': {
    from: 4663,
    to: 1,
    offer: 'USDG',
    want: 'USDS',
    offerAmount: 75_654321n,
    steps: ['deliver', 'executePart', 'execute'],
    statuses: BRIDGED,
    amountDue: 75_578667n * 10n ** 12n,
  },
  'on one chain, at once': LOCAL_LIFE,
  'on one chain, in parts': {
    from: 4663,
    to: 4663,
    offer: 'USDC',
    want: 'USDG',
    offerAmount: parseUnits('10', 6),
    integratorFee: 12_345n,
    steps: ['executePart', 'executePart', 'execute'],
    statuses: ['PROCESSING', 'PROCESSING', 'PROCESSING', 'PROCESSED'],
    amountDue: 9_977655n,
  },
  'removed after a part': {
    from: 4663,
    to: 1,
    offer: 'USDG',
    want: 'USDC',
    offerAmount: parseUnits('90', 6),
    steps: ['deliver', 'executePart', 'remove'],
    statuses: ['PENDING_BRIDGE', 'PROCESSING', 'PROCESSING', 'REMOVED'],
    amountDue: parseUnits('89.91', 6),
  },
  'tombstoned after it has arrived, which changes nothing': {
    from: 1,
    to: 4663,
    offer: 'USDC',
    want: 'USDG',
    offerAmount: parseUnits('8', 6),
    steps: ['deliver', 'tombstone', 'execute'],
    statuses: ['PENDING_BRIDGE', 'PROCESSING', 'PROCESSING', 'PROCESSED'],
    amountDue: parseUnits('7.992', 6),
  },
  'tombstoned before it arrives': {
    from: 1,
    to: 4663,
    offer: 'USDP',
    want: 'USDG',
    offerAmount: parseUnits('15', 18),
    steps: ['tombstone'],
    statuses: ['PENDING_BRIDGE', 'REMOVED'],
    amountDue: parseUnits('14.985', 6),
  },
}
