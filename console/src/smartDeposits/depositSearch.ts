import { writeFilter } from '@causeway/sdk'
import type { Address } from 'viem'
import { filterOf, oneIn, textsIn } from '../api/search.ts'
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

/** Reads the search of an address; what does not fit is left out. */
export function readDepositSearch(given: Record<string, unknown>): DepositSearch {
  const { chain, address } = given
  return {
    ...oneIn(given, 'status', DEPOSIT_STATUS),
    ...(typeof chain === 'number' ? { chain } : {}),
    ...(typeof address === 'string' && isAddressText(address) ? { address } : {}),
    ...textsIn(given, 'customer'),
  }
}

/** The filter expression of the API that a search makes; null for all deposits. */
export function depositFilter({ status, chain, address, customer }: DepositSearch): string | null {
  const { filter } = filterOf<'listSmartDeposits'>({ status, chainId: chain, customerId: customer })
  const ofAddress =
    address &&
    `(${writeFilter({ smartDepositAddress: address })} OR ${writeFilter({ userAddress: address })})`
  const parts = [filter, ofAddress].filter(Boolean)
  return parts.length > 0 ? parts.join(' AND ') : null
}
