import type { Address } from 'viem'

/** As rows and logs have it. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
