import type { Address, Hash } from 'viem'
import { throwIfAborted } from '../connection/abort.ts'
import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { CausewayError } from '../error/causewayError.ts'
import { getJourneyQuote, prepareDeposit } from '../generated/actions.ts'
import type { DepositFromIntent } from '../shield/intent.ts'
import { agreedMinimum, requireTerms } from './agreedMinimum.ts'
import { authorizeVaultToken } from './authorizeVaultToken.ts'
import { bookOf, checkTransaction } from './checkTransaction.ts'
import { organizationOf } from './organizationOf.ts'
import { prepareAuthorized } from './prepareAuthorized.ts'
import { sendPrepared } from './sendPrepared.ts'
import type { Sent } from './untilMined.ts'
import { requireAtLeast, requireAtMost } from './userLimits.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

export type DepositFromParameters = Wallets & {
  /** The chain and the token that the user pays with. The wallets are of this chain. */
  from: { chainId: number; asset: Address }
  chainId: number
  vaultAddress: Address
  /** The token that goes into the vault. */
  depositAsset: Address
  /** The account that gets the shares. By default the sender. */
  to?: Address
  customerId?: string
  /**
   * The least base units of `depositAsset` that have to arrive at the vault, for example the amount that you showed, less
   * 0.1 %. Required unless the server is trusted.
   */
  minimumAmountOut?: bigint
  /** By how much the amount that arrives may be less than it is when the flow begins. Default 10, which is 0.1 %. */
  maxSlippageBps?: number
  /** Gets the journey that will be sent, before the wallet is asked: store its `id`. */
  onJourney?: (journey: Journey, preview: Answer<'deposit'>['preview']) => void | Promise<void>
} & (
    | { /** Base units of `from.asset`, with all fees in it. */ depositAmount: bigint }
    | {
        /** The shares that the user shall get, at the present rate. */
        wantShares: bigint
        /** The most that may be paid, in base units of `from.asset`. Required unless the server is trusted. */
        maxDepositAmount?: bigint
      }
  )

type Quote = Answer<'getJourneyQuote'>
type Journey = NonNullable<Answer<'deposit'>['journey']>

/** `id` is the journey's, by which it is followed. */
export type SentJourney = Sent & {
  id: Hash
  journey: Journey
  preview: Answer<'deposit'>['preview']
}

/**
 * Deposits into a vault from another chain or with another token: lets the station take the amount, simulates, sends one
 * transaction, and resolves once it is mined on the source chain. Throws `TERMS_WORSE` if the market moved.
 *
 * @example
 * const { id } = await depositFrom(connection, {
 *   ...wallets,
 *   ...vault,
 *   from: { chainId: 1, asset: USDC },
 *   depositAsset: USDG,
 *   depositAmount: 100_000_000n,
 *   minimumAmountOut: 99_000_000n,
 * })
 */
export async function depositFrom(
  connection: Connection,
  parameters: DepositFromParameters,
): Promise<SentJourney> {
  const { from, chainId, vaultAddress, depositAsset, to, customerId, signal } = parameters
  await requireChain(parameters, from.chainId)
  const account = addressOf(parameters)
  const terms = { chainId, vaultAddress, depositAsset }
  const deposit = {
    ...terms,
    sourceChainId: from.chainId,
    sourceAsset: from.asset,
    userAddress: account,
    ...(to ? { to } : {}),
    ...(customerId ? { customerId } : {}),
  }
  const wanted =
    'wantShares' in parameters
      ? { wantShares: parameters.wantShares }
      : { depositAmount: parameters.depositAmount }
  // No order is signed for it: a signed one counts in the cap of its route until it expires.
  const agreed = await getJourneyQuote(connection, { ...deposit, ...wanted }, { signal })
  const book = await bookOf(connection)
  const depositAmount = amountOf(parameters, agreed, book !== null)
  const minimum = minimumOf(parameters, agreed, book !== null)
  const intent: DepositFromIntent = {
    kind: 'depositFrom',
    account,
    from,
    offerAmount: depositAmount,
    ...terms,
    to: to ?? account,
    customerId,
    minimumAmountOut: minimum,
  }
  const { prepared, permit } = await prepareAuthorized(
    (withPermit) => authorizeVaultToken(connection, parameters, { intent, withPermit }),
    (signed) =>
      prepareDeposit(
        connection,
        { ...deposit, ...signed, depositAmount, simulate: true },
        { signal },
      ),
  )
  const journey = journeyOf(prepared)
  requireTerms({ quoted: agreed.amountOut, offered: journey.amountOut, minimum })
  await parameters.onJourney?.(journey, prepared.preview)
  throwIfAborted(signal)
  const { transaction, preview } = prepared
  const organizationId =
    book && customerId
      ? await organizationOf(connection, { ...journey, chainId }, { signal })
      : undefined
  const checked = await checkTransaction(connection, parameters, {
    intent: { ...intent, organizationId },
    chainId: from.chainId,
    transaction,
    gas: preview.gasLimit,
    orderId: journey.id,
    permit,
  })
  // The station's events have the order's id.
  const sent = await sendPrepared(parameters, checked, [null, journey.id])
  return { ...sent, id: journey.id, journey, preview }
}

/** The user's amount. For a number of shares it is the API's, and at most the user's limit. */
function amountOf(
  parameters: DepositFromParameters,
  { offerAmount }: Quote,
  isChecked: boolean,
): bigint {
  if (!('wantShares' in parameters)) return parameters.depositAmount
  const { maxDepositAmount: limit } = parameters
  requireAtMost({ amount: offerAmount, limit, parameter: 'maxDepositAmount', isChecked })
  return offerAmount
}

/** The least that has to arrive: the user's minimum, or the quote's if that is more. */
function minimumOf(
  { minimumAmountOut: limit, maxSlippageBps }: DepositFromParameters,
  { amountOut: amount }: Quote,
  isChecked: boolean,
): bigint {
  requireAtLeast({ amount, limit, parameter: 'minimumAmountOut', isChecked })
  const agreed = agreedMinimum(amount, maxSlippageBps)
  return limit !== undefined && limit > agreed ? limit : agreed
}

function journeyOf({ journey }: Answer<'deposit'>): Journey {
  if (journey) return journey
  throw new CausewayError({
    reason: 'UNREADABLE_ANSWER',
    metadata: {},
    message: 'the prepared deposit has no journey',
  })
}
