import type { OracleOrder } from '../support/vaultOracle/oracleOrders.ts'

/** Every ending of a withdrawal request, as docs/contracts.md lists them. */
export const ENDINGS = [
  'waiting',
  'marked by its holder',
  'marked by the operator',
  'paid',
  'paid out of turn',
  'refunded, marked by its holder',
  'refunded, marked by the operator',
  'refunded, fee above amount',
  'refunded, transfer failed',
  'recovered, transfer failed',
  'recovered, marked',
  'recovered, fee above amount',
] as const

export type Ending = (typeof ENDINGS)[number]

export function endingOf({ finerStatus, markedBy, didFailTransfer }: OracleOrder): Ending {
  const byHolder = markedBy === 'user'
  switch (finerStatus) {
    case 1:
      return 'waiting'
    case 2:
      return 'paid'
    case 3:
      return 'paid out of turn'
    case 4:
      return byHolder ? 'marked by its holder' : 'marked by the operator'
    case 5:
      if (markedBy === null) return 'refunded, fee above amount'
      return byHolder ? 'refunded, marked by its holder' : 'refunded, marked by the operator'
    case 6:
      return 'refunded, transfer failed'
    case 7:
      if (didFailTransfer) return 'recovered, transfer failed'
      return markedBy === null ? 'recovered, fee above amount' : 'recovered, marked'
    default:
      throw new Error(`Invariant(endingOf): a queue knows no status ${finerStatus}`)
  }
}
