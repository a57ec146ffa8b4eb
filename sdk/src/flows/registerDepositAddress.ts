import type { CallOptions, Connection } from '../connection/connection.ts'
import type { Answer, Parameters } from '../connection/operation.ts'
import { registerSmartDepositAddress as register } from '../generated/actions.ts'
import { checkDepositAddress } from '../shield/checkDepositAddress.ts'
import { bookOf } from './checkTransaction.ts'
import { organizationOf } from './organizationOf.ts'

type Registered = Answer<'registerSmartDepositAddress'>['smartDepositAddress']

/**
 * The address whose payments are deposited for a user. The same inputs always have the same address. Throws
 * `ShieldError` for an address that does not follow from them.
 *
 * @example
 * const user = { userDestinationAddress: account.address, customerId: 'customer_1' }
 * const address = await registerSmartDepositAddress(connection, { ...vault, inputToken: USDC, ...user })
 */
export async function registerSmartDepositAddress(
  connection: Connection,
  parameters: Parameters<'registerSmartDepositAddress'>,
  options: CallOptions = {},
): Promise<Registered> {
  const book = await bookOf(connection)
  const { smartDepositAddress: address } = await register(connection, parameters, options)
  if (!book) return address
  const { chainId, customerId } = parameters
  const organizationId = customerId
    ? await organizationOf(connection, { smartDepositAddress: address, chainId }, options)
    : undefined
  checkDepositAddress(book, { kind: 'depositAddress', ...parameters, organizationId }, address)
  return address
}
