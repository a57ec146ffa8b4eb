import type { Address, Hash } from 'viem'
import { listWithdrawalRequests, prepareWithdrawal } from '../actions/earn.ts'
import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { pause } from '../connection/pause.ts'
import { isPassing } from '../connection/retryDelay.ts'
import { CausewayError } from '../error/causewayError.ts'
import type { WithdrawIntent } from '../shield/intent.ts'
import { authorizeVaultToken } from './authorizeVaultToken.ts'
import { checkTransaction } from './checkTransaction.ts'
import { prepareAuthorized } from './prepareAuthorized.ts'
import { type Sent, sendPrepared } from './sendPrepared.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

export type WithdrawFromVaultParameters = Wallets & {
  chainId: number
  vaultAddress: Address
  wantAsset: Address
  /** Base units of the vault, which has its own decimals. */
  shareAmount: bigint
  /** The account that is paid and may cancel. By default the sender. */
  receiver?: Address
  /** The account that gets the shares back after a refund. By default the sender. */
  refundReceiver?: Address
  /** Refuses a withdrawal that leaves shares which cannot be withdrawn alone. */
  refuseSmallRemainder?: boolean
  /**
   * The least assets of a withdrawal that is paid at once. By default what the vault's own rate gives, read by your node,
   * less `maxSlippageBps`.
   */
  minimumAssets?: bigint
  /** Default 100, which is 1 %. */
  maxSlippageBps?: number
}

type WithdrawalRequest = Answer<'getWithdrawalRequest'>['withdrawalRequest']

export type SentWithdrawal = Sent & {
  preview: Answer<'withdraw'>['preview']
  /** The shares that the sender keeps, and whether they can be withdrawn alone. */
  remainder: Answer<'withdraw'>['remainder']
  /** The request that `waitForWithdrawal` follows; null if the withdrawal was paid in its own transaction. */
  request: WithdrawalRequest | null
}

const INDEX_TRIES = 60

/** Withdraws from a vault, at once or by a request in its queue, as the server chooses. Resolves once it is indexed. */
export async function withdrawFromVault(
  connection: Connection,
  parameters: WithdrawFromVaultParameters,
): Promise<SentWithdrawal> {
  const { chainId, vaultAddress, wantAsset, shareAmount, signal } = parameters
  const { receiver, refundReceiver, refuseSmallRemainder = false } = parameters
  await requireChain(parameters, chainId)
  const withdrawal = {
    chainId,
    vaultAddress,
    wantAsset,
    shareAmount,
    userAddress: addressOf(parameters),
    refuseSmallRemainder,
    simulate: true,
    responseFormat: 'full' as const,
    ...(receiver ? { receiver } : {}),
    ...(refundReceiver ? { refundReceiver } : {}),
  }
  const { userAddress: account } = withdrawal
  const intent: WithdrawIntent = {
    kind: 'withdraw',
    account,
    chainId,
    vaultAddress,
    wantAsset,
    shareAmount,
    receiver: receiver ?? account,
    refundReceiver: refundReceiver ?? account,
    minimumAssets: parameters.minimumAssets,
    maxSlippageBps: parameters.maxSlippageBps,
  }
  const { prepared, permit } = await prepareAuthorized(
    (withPermit) =>
      authorizeVaultToken(connection, parameters, {
        intent,
        chainId,
        vaultAddress,
        token: vaultAddress,
        amount: shareAmount,
        wantAsset,
        withPermit,
      }),
    (signed) => prepareWithdrawal(connection, { ...withdrawal, ...signed }, { signal }),
  )
  const { transaction, preview, remainder } = prepared
  const checked = await checkTransaction(connection, parameters, {
    intent,
    prepared: { ...transaction, chainId, gas: preview.gasLimit },
    permit,
  })
  const sent = await sendPrepared(parameters, checked)
  const isAtOnce = transaction.functionName === 'bulkWithdraw'
  const request = isAtOnce ? null : await indexedRequest(connection, { chainId, signal, ...sent })
  return { ...sent, preview, remainder, request }
}

type Mined = Pick<Sent, 'hash'> & { chainId: number; signal: AbortSignal | undefined }

/** The request of a transaction, which the index has a moment after the chain. Null if that takes a minute. */
async function indexedRequest(
  connection: Connection,
  { hash, chainId, signal }: Mined,
): Promise<WithdrawalRequest | null> {
  const filter = { txHash: hash, chainId }
  for (let tries = 0; tries < INDEX_TRIES; tries++) {
    const request = await firstRequest(connection, filter, signal)
    if (request) return request
    await pause(1_000, signal)
  }
  return null
}

/** The transaction is mined: an API that fails for a while must not look like a withdrawal that failed. */
async function firstRequest(
  connection: Connection,
  filter: { txHash: Hash; chainId: number },
  signal: AbortSignal | undefined,
): Promise<WithdrawalRequest | undefined> {
  try {
    const [request] = await listWithdrawalRequests(connection, { filter }, { signal }).take(1)
    return request
  } catch (error) {
    if (error instanceof CausewayError && isPassing(error)) return undefined
    throw error
  }
}
