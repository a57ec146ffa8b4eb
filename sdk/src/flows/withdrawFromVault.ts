import type { Address, Hash } from 'viem'
import { abortWith, throwIfAborted } from '../connection/abort.ts'
import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { pause } from '../connection/pause.ts'
import { listWithdrawalRequests, prepareWithdrawal } from '../generated/actions.ts'
import { isCallOf } from '../shield/decodeCall.ts'
import type { WithdrawIntent } from '../shield/intent.ts'
import { authorizeVaultToken } from './authorizeVaultToken.ts'
import { checkTransaction } from './checkTransaction.ts'
import { prepareAuthorized } from './prepareAuthorized.ts'
import { sendPrepared } from './sendPrepared.ts'
import type { Sent } from './untilMined.ts'
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
   * The least assets. A request in the queue promises no amount, so it is refused unless `mayWait` is true. Without a
   * minimum, requests are taken, and a withdrawal at once pays what the vault's own rate gives, read by your node, less
   * `maxSlippageBps`.
   */
  minimumAssets?: bigint
  /** Takes a request in the queue, beside `minimumAssets` for a withdrawal at once. */
  mayWait?: boolean
  /** Default 100, which is 1 %. */
  maxSlippageBps?: number
  /** How long the API is asked for the request of a mined withdrawal. Default 60,000. */
  requestTimeoutMs?: number
}

type WithdrawalRequest = Answer<'getWithdrawalRequest'>['withdrawalRequest']

export type SentWithdrawal = Sent & {
  preview: Answer<'withdraw'>['preview']
  /** The shares that the sender keeps, and whether they can be withdrawn alone. */
  remainder: Answer<'withdraw'>['remainder']
  /** Whether the sent transaction pays the withdrawal itself, so that there is no request. */
  paidAtOnce: boolean
  /**
   * The request that `waitForWithdrawal` follows. Null if the withdrawal was paid at once, and if the API did not show the
   * request in time: then find it later by `hash`, and do not withdraw again.
   */
  request: WithdrawalRequest | null
}

const REQUEST_MS = 60_000

/**
 * Withdraws from a vault, at once or by a request in its queue, as the server chooses. Resolves once it is indexed. After
 * the withdrawal is mined it throws only if `signal` is aborted.
 *
 * @example
 * const shares = { wantAsset: USDC, shareAmount: 10_000_000n }
 * const { paidAtOnce } = await withdrawFromVault(connection, { ...wallets, ...vault, ...shares })
 */
export async function withdrawFromVault(
  connection: Connection,
  parameters: WithdrawFromVaultParameters,
): Promise<SentWithdrawal> {
  const { chainId, vaultAddress, wantAsset, shareAmount, signal } = parameters
  const { receiver, refundReceiver, refuseSmallRemainder = false } = parameters
  const { minimumAssets, mayWait, maxSlippageBps, requestTimeoutMs = REQUEST_MS } = parameters
  await requireChain(parameters, chainId)
  const account = addressOf(parameters)
  const terms = { chainId, vaultAddress, wantAsset, shareAmount }
  const withdrawal = {
    ...terms,
    userAddress: account,
    refuseSmallRemainder,
    simulate: true,
    responseFormat: 'full' as const,
    ...(receiver ? { receiver } : {}),
    ...(refundReceiver ? { refundReceiver } : {}),
  }
  const intent: WithdrawIntent = {
    kind: 'withdraw',
    account,
    ...terms,
    receiver: receiver ?? account,
    refundReceiver: refundReceiver ?? account,
    minimumAssets,
    mayWait,
    maxSlippageBps,
  }
  const { prepared, permit } = await prepareAuthorized(
    (withPermit) => authorizeVaultToken(connection, parameters, { intent, withPermit }),
    (signed) => prepareWithdrawal(connection, { ...withdrawal, ...signed }, { signal }),
  )
  const { transaction, preview, remainder } = prepared
  const checked = await checkTransaction(connection, parameters, {
    intent,
    chainId,
    transaction,
    gas: preview.gasLimit,
    permit,
  })
  const sent = await sendPrepared(parameters, checked)
  // By what was signed, and not by what the server says.
  const paidAtOnce = isCallOf('teller.bulkWithdraw', checked.data)
  const request = paidAtOnce
    ? null
    : await indexedRequest(connection, {
        filter: { txHash: sent.hash, chainId },
        signal,
        timeoutMs: requestTimeoutMs,
      })
  return { ...sent, preview, remainder, paidAtOnce, request }
}

type Filter = { txHash: Hash; chainId: number }

/** The request of a mined transaction, which the index has a moment after the chain. Null if it is not there in time. */
async function indexedRequest(
  connection: Connection,
  {
    filter,
    signal,
    timeoutMs,
  }: { filter: Filter; signal: AbortSignal | undefined; timeoutMs: number },
): Promise<WithdrawalRequest | null> {
  const ended = new AbortController()
  const unlink = abortWith(ended, signal)
  const timer = setTimeout(() => ended.abort(), timeoutMs)
  try {
    while (!ended.signal.aborted) {
      const request = await firstRequest(connection, filter, ended.signal)
      if (request) return request
      // The time ends the pause too. Only the caller's signal ends the flow with an error.
      await pause(1_000, ended.signal).catch(() => throwIfAborted(signal))
    }
    throwIfAborted(signal)
    return null
  } finally {
    clearTimeout(timer)
    unlink()
  }
}

/** Undefined after any failure of the API. Else a mined withdrawal would look like one that failed, and be sent again. */
async function firstRequest(
  connection: Connection,
  filter: Filter,
  signal: AbortSignal,
): Promise<WithdrawalRequest | undefined> {
  try {
    const [request] = await listWithdrawalRequests(connection, { filter }, { signal }).take(1)
    return request
  } catch {
    return undefined
  }
}
