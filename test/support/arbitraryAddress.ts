import fc from 'fast-check'
import { type Address, getAddress } from 'viem'

/** Any address that a user may have, checksummed. */
export const arbitraryAddress: fc.Arbitrary<Address> = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`))
  .filter((address) => BigInt(address) >= 0x10000n)

/** Any id that a customer may have. */
export const arbitraryCustomer = fc.stringMatching(/^[a-zA-Z0-9_-]{1,256}$/)
