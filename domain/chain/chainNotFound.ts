import type { AddressBook } from '../addressBook/addressBook.ts'
import { ServiceError } from '../error/serviceError.ts'

/** The refusal of a chain that the address book lacks, the same for every call; undefined for a known one. */
export function chainNotFound(
  { chains }: Pick<AddressBook, 'chains'>,
  chainId: number,
): ServiceError | undefined {
  if (chains.some(({ id }) => id === chainId)) return undefined
  const served = chains.map(({ id }) => id).join(', ')
  return new ServiceError(
    'CHAIN_NOT_FOUND',
    `This service has no chain ${chainId}. Its chains are ${served}.`,
    { metadata: { chainId: String(chainId) } },
  )
}
