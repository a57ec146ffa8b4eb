import { depositAFragments, depositFragments } from './depositor.ts'
import { takingFragments } from './smartDeposit.ts'
import { bulkWithdrawFragments } from './teller.ts'
import { submitOrderFragments, submitOrderWithPermitFragments } from './transitStation.ts'
import { cancelFragments, withdrawFragments } from './withdrawQueue.ts'

/**
 * Every function that the service prepares for a user's signature, as fragments: the structs first, the function last.
 * The client's checks are made from this table, so a function that is not here cannot be prepared.
 */
export const PREPARED_FUNCTIONS = {
  'token.approve': ['function approve(address spender, uint256 amount) returns (bool)'],
  'station.submitOrder': submitOrderFragments,
  'station.submitOrderWithPermit': submitOrderWithPermitFragments,
  'depositor.deposit': depositFragments.deposit,
  'depositor.depositWithPermit': depositFragments.depositWithPermit,
  'depositorA.deposit': depositAFragments.deposit,
  'depositorA.depositWithPermit': depositAFragments.depositWithPermit,
  'teller.bulkWithdraw': bulkWithdrawFragments,
  'queue.submitOrder': withdrawFragments.submitOrder,
  'queue.submitOrderAndProcessAll': withdrawFragments.submitOrderAndProcessAll,
  'queue.cancelOrder': cancelFragments,
  'depositFactory.requestWithdrawal': takingFragments.requestWithdrawal,
  'depositFactory.withdraw': takingFragments.withdraw,
} as const satisfies Record<`${string}.${string}`, readonly string[]>

/** A contract and its function, such as `queue.cancelOrder`. */
export type PreparedFunction = keyof typeof PREPARED_FUNCTIONS
