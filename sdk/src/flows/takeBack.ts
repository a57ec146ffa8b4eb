import type { Address } from 'viem'
import type { Connection } from '../connection/connection.ts'
import { prepareTakeBack } from '../generated/actions.ts'
import { checkTransaction } from './checkTransaction.ts'
import { sendPrepared } from './sendPrepared.ts'
import type { Sent } from './untilMined.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

type Withdrawal = Awaited<ReturnType<typeof prepareTakeBack>>

export type TakeBackParameters = Wallets & {
  smartDepositAddress: Address
  /** Where the money lies: it can be another chain than the vault's. */
  chainId: number
  /** The zero address is the chain's coin. */
  token: Address
  /** The inputs of the address, as the user knows them: the shield checks that nothing else is taken. */
  inputs: {
    chainId: number
    vaultAddress: Address
    inputToken: Address
    customerId?: string | null | undefined
    organizationId?: string | null | undefined
  }
}

/**
 * Sends the next transaction with which the user of a smart deposit address takes back what lies there: first the request, and
 * after its delay the taking. Resolves once it is mined. `sent` is null while the delay runs, and where nothing lies. Only
 * the user itself can send it.
 *
 * @example
 * const inputs = { ...vault, inputToken: USDC }
 * const place = { smartDepositAddress: address, chainId: 4663, token: USDG }
 * const { withdrawal, sent } = await takeBack(connection, { ...wallets, ...place, inputs })
 */
export async function takeBack(
  connection: Connection,
  parameters: TakeBackParameters,
): Promise<{ withdrawal: Omit<Withdrawal, 'transaction'>; sent: Sent | null }> {
  const { smartDepositAddress, chainId, token, inputs, signal } = parameters
  await requireChain(parameters, chainId)
  const { transaction, ...withdrawal } = await prepareTakeBack(
    connection,
    { smartDepositAddress, chainId, token },
    { signal },
  )
  if (!transaction) return { withdrawal, sent: null }
  const checked = await checkTransaction(connection, parameters, {
    intent: { kind: 'takeBack', account: addressOf(parameters), chainId, token, inputs },
    chainId,
    transaction,
  })
  return { withdrawal, sent: await sendPrepared(parameters, checked) }
}
