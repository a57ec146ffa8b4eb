import type { Address } from 'viem'
import type { CallOptions, Connection } from '../connection/connection.ts'
import { listSmartDepositAddresses } from '../generated/actions.ts'

/**
 * The organization that is part of a customer's smart deposit address, as the API says. Another id would give another
 * address, but one that deposits for the same user too.
 */
export async function organizationOf(
  connection: Connection,
  { smartDepositAddress, chainId }: { smartDepositAddress: Address; chainId: number },
  options: CallOptions,
): Promise<string | undefined> {
  const filter = { smartDepositAddress, chainId }
  const [found] = await listSmartDepositAddresses(connection, { filter }, options).take(1)
  return found?.organizationId ?? undefined
}
