import type { Hash, TransactionReceipt } from 'viem'
import {
  getTransitQuote,
  type IndicativeTransitQuote,
  type TransitQuote,
} from '../actions/getTransitQuote.ts'
import { getTransitAuthorization } from '../actions/transit.ts'
import type { Connection } from '../connection/connection.ts'
import { CausewayError } from '../error/causewayError.ts'
import type { TransitIntent } from '../shield/intent.ts'
import { agreedMinimum } from './agreedMinimum.ts'
import { authorizeToken, type Offered, type Signed } from './authorizeToken.ts'
import { checkTransaction } from './checkTransaction.ts'
import { prepareAuthorized } from './prepareAuthorized.ts'
import { sendPrepared } from './sendPrepared.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

export type SendTransitOrderParameters = Wallets & {
  /** The terms that the user has agreed to, indicative or signed. */
  quote: IndicativeTransitQuote
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
 */
export async function sendTransitOrder(
  connection: Connection,
  parameters: SendTransitOrderParameters,
): Promise<SentTransitOrder> {
  const { quote: agreed, onQuote, signal } = parameters
  const { sourceChainId } = agreed.request
  requirePayer(parameters)
  await requireChain(parameters, sourceChainId)
  const intent = intentOf(parameters)
  const { prepared: quote, permit } = await prepareAuthorized(
    (withPermit) => authorize(connection, parameters, { intent, withPermit }),
    (signed) => requote(connection, parameters, { intent, signed }),
  )
  requireTerms(parameters, quote)
  await onQuote?.(quote)
  signal?.throwIfAborted()
  const checked = await checkTransaction(connection, parameters, {
    intent,
    prepared: { ...quote.transaction, chainId: sourceChainId },
    orderId: quote.orderId,
    permit,
  })
  const { hash, receipt } = await sendPrepared(parameters, checked)
  return { id: quote.orderId, hash, receipt, quote }
}

/** The user's words. An amount that was asked for counts before the one that the API answered. */
function intentOf(parameters: SendTransitOrderParameters): TransitIntent {
  const { quote, maxSlippageBps } = parameters
  const { request, amountOut } = quote
  const { wantAmount = 0n, offerAmount = quote.offerAmount } = request
  return {
    ...request,
    kind: 'transit',
    account: addressOf(parameters),
    receiver: request.userAddress,
    offerAmount,
    minimumAmountOut: agreedMinimum(
      wantAmount > amountOut ? wantAmount : amountOut,
      maxSlippageBps,
    ),
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
        approval: approval?.transaction && {
          data: approval.transaction.encoded,
          requiresFollowUp: approval.requiresFollowUp === true,
        },
      }
    },
  })
}

/** By the offer that was authorized, also where the agreed quote was asked for by `wantAmount`. */
function requote(
  connection: Connection,
  parameters: SendTransitOrderParameters,
  { intent, signed }: { intent: TransitIntent; signed: Signed },
): Promise<TransitQuote> {
  const { quote, signal } = parameters
  const { wantAmount: _, ...request } = quote.request
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

function requireTerms(
  { quote: { amountOut: quoted }, maxSlippageBps }: SendTransitOrderParameters,
  { amountOut: offered }: TransitQuote,
) {
  if (offered >= agreedMinimum(quoted, maxSlippageBps)) return
  throw new CausewayError({
    reason: 'TERMS_WORSE',
    metadata: { quoted, offered },
    message: `the receiver would get ${offered} instead of ${quoted}: show the new terms and send again`,
  })
}
