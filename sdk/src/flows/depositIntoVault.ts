import type { Address } from 'viem'
import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { prepareDeposit } from '../generated/actions.ts'
import type { DepositIntent } from '../shield/intent.ts'
import { authorizeVaultToken } from './authorizeVaultToken.ts'
import { checkTransaction } from './checkTransaction.ts'
import { prepareAuthorized } from './prepareAuthorized.ts'
import { sendPrepared } from './sendPrepared.ts'
import type { Sent } from './untilMined.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

export type DepositIntoVaultParameters = Wallets & {
  chainId: number
  vaultAddress: Address
  depositAsset: Address
  /** Base units of the asset. */
  depositAmount: bigint
  /** The account that gets the shares. By default the sender. */
  to?: Address
  /** The least shares. By default what the vault's own rate gives, read by your node, less `maxSlippageBps`. */
  minimumShares?: bigint
  /** Default 100, which is 1 %. */
  maxSlippageBps?: number
}

export type SentDeposit = Sent & { preview: Answer<'deposit'>['preview'] }

/**
 * Deposits into a vault: lets the depositor take the asset, simulates, sends, and resolves once it is mined.
 *
 * @example
 * const deposit = { depositAsset: USDC, depositAmount: 100_000_000n }
 * const { hash } = await depositIntoVault(connection, { ...wallets, ...vault, ...deposit })
 */
export async function depositIntoVault(
  connection: Connection,
  parameters: DepositIntoVaultParameters,
): Promise<SentDeposit> {
  const { chainId, vaultAddress, depositAsset, depositAmount, to, signal } = parameters
  const { minimumShares, maxSlippageBps } = parameters
  await requireChain(parameters, chainId)
  const account = addressOf(parameters)
  const terms = { chainId, vaultAddress, depositAsset, depositAmount }
  const deposit = { ...terms, userAddress: account, simulate: true, ...(to ? { to } : {}) }
  const intent: DepositIntent = {
    kind: 'deposit',
    account,
    ...terms,
    to: to ?? account,
    minimumShares,
    maxSlippageBps,
  }
  const { prepared, permit } = await prepareAuthorized(
    (withPermit) => authorizeVaultToken(connection, parameters, { intent, withPermit }),
    (signed) => prepareDeposit(connection, { ...deposit, ...signed }, { signal }),
  )
  const { transaction, preview } = prepared
  const checked = await checkTransaction(connection, parameters, {
    intent,
    chainId,
    transaction,
    gas: preview.gasLimit,
    permit,
  })
  return { ...(await sendPrepared(parameters, checked)), preview }
}
