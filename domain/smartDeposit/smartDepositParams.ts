import type { Address } from 'viem'
import { z } from 'zod'
import type { FieldViolation } from '../error/serviceError.ts'
import { refuseZero } from '../token/refuseZero.ts'
import { refusePrecompile } from './refuseDestination.ts'

/** The inputs of a smart deposit address. Addresses are lower case. */
export type SmartDepositAddressParams = {
  /** Receives the shares. */
  userDestinationAddress: Address
  vaultAddress: Address
  inputToken: Address
  chainId: number
  customerId?: string | undefined
}

const CUSTOMER_ID_EXPECTED = 'expected 1 to 256 letters, digits, hyphens or underscores of ASCII'

/** An integrator's own id of a customer. */
export const customerIdParam = z.string().regex(/^[a-zA-Z0-9_-]{1,256}$/, CUSTOMER_ID_EXPECTED)

/** The violations in the given parameters. */
export function smartDepositAddressViolations(
  params: Partial<SmartDepositAddressParams>,
): FieldViolation[] {
  const { userDestinationAddress, vaultAddress, inputToken, customerId } = params
  const isBad = customerId !== undefined && !customerIdParam.safeParse(customerId).success
  return [
    ...refuseZero('userDestinationAddress', userDestinationAddress),
    ...refusePrecompile(userDestinationAddress),
    ...refuseZero('vaultAddress', vaultAddress),
    ...refuseZero('inputToken', inputToken),
    ...refuseContract(userDestinationAddress, { vaultAddress, inputToken }),
    ...(isBad ? [{ field: 'customerId', description: CUSTOMER_ID_EXPECTED }] : []),
  ]
}

/** Shares that are sent to the vault or the token contract would be lost. */
function refuseContract(
  user: Address | undefined,
  contracts: Record<string, Address | undefined>,
): FieldViolation[] {
  const found = Object.entries(contracts).find(([, address]) => user && address === user)
  if (!found) return []
  const description = `expected an account of the user, not the same as ${found[0]}`
  return [{ field: 'userDestinationAddress', description }]
}
