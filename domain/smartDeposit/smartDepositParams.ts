import type { Address } from 'viem'
import { z } from 'zod'
import { paramViolations } from '../error/paramViolations.ts'
import type { FieldViolation } from '../error/serviceError.ts'
import type { Receiver } from '../receiver/refuseReceivers.ts'
import { refuseZero } from '../token/refuseZero.ts'

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
  const { vaultAddress, inputToken, customerId } = params
  return [
    ...refuseZero('vaultAddress', vaultAddress),
    ...refuseZero('inputToken', inputToken),
    ...paramViolations('customerId', customerIdParam.optional(), customerId),
  ]
}

/** The account that gets the shares. */
export function smartDepositReceivers(params: Partial<SmartDepositAddressParams>): Receiver[] {
  const { userDestinationAddress: account, chainId, vaultAddress: token } = params
  return [{ field: 'userDestinationAddress', account, chainId, token }]
}
