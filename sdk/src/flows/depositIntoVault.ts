import type { Address } from 'viem'
import { prepareDeposit } from '../actions/earn.ts'
import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { authorizeVaultToken } from './authorizeVaultToken.ts'
import { prepareAuthorized } from './prepareAuthorized.ts'
import { type Sent, sendPrepared } from './sendPrepared.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

export type DepositIntoVaultParameters = Wallets & {
  chainId: number
  vaultAddress: Address
  depositAsset: Address
  /** Base units of the asset. */
  depositAmount: bigint
  /** The account that gets the shares. By default the sender. */
  to?: Address
}

export type SentDeposit = Sent & { preview: Answer<'deposit'>['preview'] }

/** Deposits into a vault: lets the depositor take the asset, simulates, sends, and resolves once it is mined. */
export async function depositIntoVault(
  connection: Connection,
  parameters: DepositIntoVaultParameters,
): Promise<SentDeposit> {
  const { chainId, vaultAddress, depositAsset, depositAmount, to, signal } = parameters
  await requireChain(parameters, chainId)
  const deposit = {
    chainId,
    vaultAddress,
    depositAsset,
    depositAmount,
    userAddress: addressOf(parameters),
    simulate: true,
    ...(to ? { to } : {}),
  }
  const { transaction, preview } = await prepareAuthorized(
    (withPermit) =>
      authorizeVaultToken(connection, parameters, {
        chainId,
        vaultAddress,
        token: depositAsset,
        amount: depositAmount,
        withPermit,
      }),
    (signed) => prepareDeposit(connection, { ...deposit, ...signed }, { signal }),
  )
  const sent = await sendPrepared(parameters, {
    ...transaction,
    chainId,
    gas: preview.gasLimit,
  })
  return { ...sent, preview }
}
