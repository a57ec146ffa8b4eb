import type { Address } from 'viem'
import type { AddressBook } from './addressBook.ts'

/** The least payment of a token that is deposited alone, in base units: 0 for a token without a minimum. */
export function smartDepositMinimum(
  { tokens }: Pick<AddressBook, 'tokens'>,
  { chainId, token }: { chainId: number; token: Address },
): bigint {
  const found = tokens.find((one) => one.chainId === chainId && one.address === token)
  return BigInt(found?.smartDepositMinimum ?? 0)
}
