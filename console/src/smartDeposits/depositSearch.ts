import { writeFilter } from '@causeway/sdk'
import type { Address } from 'viem'
import { isAddressText } from '../format/hexKind.ts'
import { DEPOSIT_STATUS, type SmartDeposit } from './depositStatus.ts'

/** The filters of the list of deposits, as they stand in the page's address. */
export type DepositSearch = {
  status?: SmartDeposit['status']
  chain?: number
  /** A smart deposit address, or the address of a user. */
  address?: Address
  customer?: string
}

const STATUSES = Object.keys(DEPOSIT_STATUS).filter(
  (name): name is SmartDeposit['status'] => name in DEPOSIT_STATUS,
)

/** Reads the search of an address; what does not fit is left out. */
export function readDepositSearch(given: Record<string, unknown>): DepositSearch {
  const status = STATUSES.find((one) => one === given.status)
  const { chain, address, customer } = given
  return {
    ...(status ? { status } : {}),
    ...(typeof chain === 'number' ? { chain } : {}),
    ...(typeof address === 'string' && isAddressText(address) ? { address } : {}),
    // A customer of digits alone is read as a number.
    ...(typeof customer === 'string' || typeof customer === 'number'
      ? { customer: String(customer) }
      : {}),
  }
}

/** The filter expression of the API that a search makes; null for all deposits. */
export function depositFilter({ status, chain, address, customer }: DepositSearch): string | null {
  const filter = {
    ...(status ? { status } : {}),
    ...(chain === undefined ? {} : { chainId: chain }),
    ...(customer ? { customerId: customer } : {}),
  }
  const ofAddress =
    address &&
    `(${writeFilter({ smartDepositAddress: address })} OR ${writeFilter({ userAddress: address })})`
  const parts = [writeFilter(filter), ofAddress].filter(Boolean)
  return parts.length > 0 ? parts.join(' AND ') : null
}
