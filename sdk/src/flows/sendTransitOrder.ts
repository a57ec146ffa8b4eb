import type { Hash, TransactionReceipt } from 'viem'
import {
  getTransitQuote,
  type IndicativeTransitQuote,
  type TransitQuote,
} from '../actions/getTransitQuote.ts'
import { throwIfAborted } from '../connection/abort.ts'
import type { Connection } from '../connection/connection.ts'
import { CausewayError } from '../error/causewayError.ts'
import { getTransitAuthorization } from '../generated/actions.ts'
import type { TransitIntent } from '../shield/intent.ts'
import { agreedMinimum, requireTerms } from './agreedMinimum.ts'
import { authorizeToken, type Offered, type Signed } from './authorizeToken.ts'
import { bookOf, checkTransaction } from './checkTransaction.ts'
import { prepareAuthorized } from './prepareAuthorized.ts'
import { sendPrepared } from './sendPrepared.ts'
import { requireAtMost } from './userLimits.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

export type SendTransitOrderParameters = Wallets & {
  /** The terms that the user has agreed to, indicative or signed. */
  quote: IndicativeTransitQuote
  /**
   * The most that may be paid, in base units of the offer asset. Required for a quote by `wantAmount`, unless the server is
   * trusted.
   */
  maxOfferAmount?: bigint
  /** By how much the terms that are sent may be worse than those of `quote`. Default 10, which is 0.1 %. */
  maxSlippageBps?: number
  /** Gets the quote that will be sent, before the wallet is asked: store its `orderId`. */
  onQuote?: (quote: TransitQuote) => void | Promise<void>
}

export type SentTransitOrder = {
  /** The order's id, by which it is followed. */
  id: Hash
  hash: Hash
  receipt: TransactionReceipt
  /** The quote that was sent. */
  quote: TransitQuote
}

/**
 * Submits an order: lets the station take the offer, asks for a fresh quote that contains the permit and is
 * simulated, and sends it. Resolves once it is mined on the source chain. Throws `TERMS_WORSE` if the market moved.
 *
 * @example
 * const { id } = await sendTransitOrder(connection, { ...wallets, quote })
 */
export async function sendTransitOrder(
  connection: Connection,
  parameters: SendTransitOrderParameters,
): Promise<SentTransitOrder> {
  const { quote: agreed, onQuote, signal } = parameters
  const { sourceChainId } = agreed.request
  requirePayer(parameters)
  await requireChain(parameters, sourceChainId)
  const isChecked = (await bookOf(connection)) !== null
  const intent = intentOf(parameters, isChecked)
  const { prepared: quote, permit } = await prepareAuthorized(
    (withPermit) => authorize(connection, parameters, { intent, withPermit }),
    (signed) => requote(connection, parameters, { intent, signed }),
  )
  const { minimumAmountOut: minimum } = intent
  requireTerms({ quoted: agreed.amountOut, offered: quote.amountOut, minimum })
  await onQuote?.(quote)
  throwIfAborted(signal)
  const checked = await checkTransaction(connection, parameters, {
    intent,
    chainId: sourceChainId,
    transaction: quote.transaction,
    orderId: quote.orderId,
    permit,
  })
  // The station's events have the order's id.
  const { hash, receipt } = await sendPrepared(parameters, checked, [null, quote.orderId])
  return { id: quote.orderId, hash, receipt, quote }
}

/**
 * The user's words. An amount that was asked for counts before the one that the API answered. For a wanted amount the API
 * names the offer, and the user its limit.
 */
function intentOf(parameters: SendTransitOrderParameters, isChecked: boolean): TransitIntent {
  const { quote, maxSlippageBps, maxOfferAmount: limit } = parameters
  const { request, amountOut } = quote
  const { wantAmount = 0n, offerAmount = quote.offerAmount } = request
  requireAtMost({
    amount: offerAmount,
    limit,
    parameter: 'maxOfferAmount',
    isChecked: isChecked && request.offerAmount === undefined,
  })
  // At least what the user asked for, whatever the quote says.
  const isLess = amountOut < wantAmount
  const due = isLess ? wantAmount : amountOut
  return {
    ...request,
    kind: 'transit',
    account: addressOf(parameters),
    receiver: request.userAddress,
    offerAmount,
    minimumAmountOut: agreedMinimum(due, maxSlippageBps),
  }
}

function authorize(
  connection: Connection,
  parameters: SendTransitOrderParameters,
  { intent, withPermit }: { intent: TransitIntent; withPermit: boolean },
): Promise<Signed> {
  const { signal } = parameters
  const { offerAsset: token, sourceChainId: chainId, offerAmount: amount } = intent
  const userAddress = addressOf(parameters)
  return authorizeToken(connection, parameters, {
    intent,
    chainId,
    token,
    withPermit,
    ask: async (): Promise<Offered> => {
      const params = { chainId, tokenAddress: token, amount, userAddress }
      const answer = await getTransitAuthorization(connection, params, { signal })
      const approval = answer.methods.find(({ transaction }) => transaction)
      return {
        isApproved: answer.alreadyApproved,
        permit: answer.methods.find(({ permitData }) => permitData)?.permitData,
        approval: approval?.transaction && { ...approval, ...approval.transaction },
      }
    },
  })
}

/**
 * By the offer that was authorized, also where the agreed quote was asked for by `wantAmount`, and as calldata. A permit of that
 * quote is left out: the one that is signed now counts, if the offer needs one.
 */
function requote(
  connection: Connection,
  parameters: SendTransitOrderParameters,
  { intent, signed }: { intent: TransitIntent; signed: Signed },
): Promise<TransitQuote> {
  const { quote, signal } = parameters
  const { wantAmount, permitSignature, permitDeadline, responseFormat, ...request } = quote.request
  const payerAddress = addressOf(parameters)
  const { offerAmount } = intent
  return getTransitQuote(
    connection,
    { ...request, ...signed, offerAmount, payerAddress, simulate: true },
    { signal },
  )
}

function requirePayer(parameters: SendTransitOrderParameters) {
  const { payerAddress, userAddress } = parameters.quote.request
  const expected = payerAddress ?? userAddress
  const actual = addressOf(parameters)
  if (expected.toLowerCase() === actual.toLowerCase()) return
  throw new CausewayError({
    reason: 'WRONG_ACCOUNT',
    metadata: { expected, actual },
    message: `the quote's payer is ${expected}, but the wallet's account is ${actual}; quote with payerAddress`,
  })
}
