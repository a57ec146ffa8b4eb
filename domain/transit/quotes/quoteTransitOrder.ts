import { randomBytes } from 'node:crypto'
import { type Hex, toHex, zeroAddress, zeroHash } from 'viem'
import { isDatabaseDown } from '../../../db/isDatabaseDown.ts'
import { stationCode } from '../../access/stationCode.ts'
import type { CallWarning, PreparedCall } from '../../call/preparedCall.ts'
import { deadlineAfter } from '../../chain/blockTime.ts'
import type { Reason } from '../../error/reason.ts'
import { refuseTogether } from '../../error/refuseTogether.ts'
import { invalidFields, ServiceError } from '../../error/serviceError.ts'
import { observe } from '../../observation/observe.ts'
import { receiverRefusal } from '../../receiver/refuseReceivers.ts'
import { permitOf } from '../../token/permit.ts'
import type { OrderPrice } from '../priceOrder.ts'
import type { RouteLatency } from '../routes/latencyOf.ts'
import { findRoute, type ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { QuotePrincipal } from '../signing/routeCapacity.ts'
import { quoteOrderId, type TransitQuote } from '../terms/quoteTypedData.ts'
import type { StationState } from '../terms/stationStates.ts'
import type { TransitContext } from '../transitContext.ts'
import { messageFee } from './messageFee.ts'
import { prepareOrder } from './prepareOrder.ts'
import { priceWithinLimits } from './priceWithinLimits.ts'
import { type QuoteParams, quoteReceivers, quoteViolations } from './quoteParams.ts'
import { routeReads } from './routeReads.ts'
import { simulateOrder } from './simulateOrder.ts'
import {
  refuseUnapproved,
  refuseUnconnected,
  refuseUnready,
  routeNotFound,
  signerOf,
  signingFailure,
} from './stationRefusals.ts'

/** A quote. Only a signed one has an id, a deadline and a transaction. */
export type TransitOrderQuote = {
  /** The id that the order will have on chain. */
  orderId: Hex | null
  /** The signed deadline. */
  expiresAt: Date | null
  price: OrderPrice
  /** Wei, to send with the order. */
  messageFee: bigint
  /** The amount that was asked for, in want base units; null for a quote by its offer. */
  wantAmount: bigint | null
  conversionRateHundredthsBps: number
  estimatedLatencyMs: number | null
  latency: RouteLatency | null
  /** Whether the destination's station is paused: the order would wait there. */
  destinationPaused: boolean
  transaction: PreparedCall | null
  warnings: CallWarning[]
}

/** A quote that is ready to send. */
export type SignedTransitOrderQuote = TransitOrderQuote & {
  orderId: Hex
  expiresAt: Date
  transaction: PreparedCall
}

/** A quote that is signed. Throws as `quoteTransitOrder`. */
export async function signTransitOrder(
  context: TransitContext,
  params: Omit<QuoteParams, 'indicative'>,
): Promise<SignedTransitOrderQuote> {
  const quote = await quoteTransitOrder(context, { ...params, indicative: false })
  const { orderId, expiresAt, transaction } = quote
  if (!orderId || !expiresAt || !transaction)
    throw new Error('Invariant(quoteTransitOrder): a quote that is not indicative is not signed')
  return { ...quote, orderId, expiresAt, transaction }
}

/**
 * Prices an order that its station will take; signs and prepares it unless only the figures are asked for. Throws the reasons for which the order
 * is refused (`INVALID_FIELD`, `RECEIVER_CANNOT_USE`, `CHAIN_NOT_FOUND`, `ROUTE_NOT_FOUND`, `BELOW_MIN_ORDER_SIZE`, `ABOVE_MAX_ORDER_SIZE`,
 * `QUOTE_FEE_TOO_HIGH`, `ACCOUNT_FROZEN`, `SIMULATION_FAILED`), or for which it cannot be quoted now (`STATION_PAUSED`,
 * `STATION_NOT_CONNECTED`, `QUOTE_SIGNER_UNAVAILABLE`, `PRICE_UNAVAILABLE`, `PRICE_OUT_OF_BAND`, `ROUTE_PAUSED`, `ROUTE_EXHAUSTED`,
 * `RPC_UNAVAILABLE`). Throws the database's error too: without it nothing is signed.
 */
export async function quoteTransitOrder(
  context: TransitContext,
  params: QuoteParams,
): Promise<TransitOrderQuote> {
  const violations = quoteViolations(params)
  refuseTogether([
    violations.length > 0 ? invalidFields(violations) : undefined,
    receiverRefusal(context.addressBook, quoteReceivers(params)),
  ])
  const resolved = findRoute(context.addressBook, params)
  if (!resolved) throw routeNotFound(context, params)
  const { sourceChainId, destinationChainId } = params
  const report = (outcome: string) =>
    observe({ kind: 'quote', sourceChainId, destinationChainId, outcome })
  try {
    const quote = await quoteOverRoute(context, params, resolved)
    report('quoted')
    return quote
  } catch (error) {
    report(outcomeOf(error))
    throw error
  }
}

function outcomeOf(error: unknown): Reason {
  if (error instanceof ServiceError) return error.reason
  return isDatabaseDown(error) ? 'DATABASE_UNAVAILABLE' : 'UNEXPECTED'
}

async function quoteOverRoute(
  context: TransitContext,
  params: QuoteParams,
  resolved: ResolvedRoute,
): Promise<TransitOrderQuote> {
  const { source, route } = resolved
  const reads = routeReads(context, resolved, quoteReceivers(params))
  const [state, pricing, receiving] = await Promise.all([
    reads.state,
    reads.pricing,
    reads.receiving,
    ...reads.checks,
  ])
  refuseUnapproved(context, resolved, state)
  const price = priceWithinLimits(params, resolved, pricing)
  const permit = permitOf(params)
  refuseUnready(resolved, state, permit ? 'submitOrderWithPermit' : 'submitOrder')
  refuseUnconnected(resolved, state, receiving)
  const signer = signerOf(context.quoteSigner, resolved, state)

  const quote = makeQuote(context, params, { resolved, state, price })
  const orderId = quoteOrderId(quote, source)
  const [signature, value, estimatedLatencyMs, latency] = await Promise.all([
    params.indicative
      ? null
      : signer.sign(quote, source, principalOf(context)).catch((error) => {
          throw signingFailure(error, resolved)
        }),
    messageFee(context, resolved, { orderId, quote, price }),
    context.routeLatencies.estimate(resolved, price.offerAmount),
    context.routeLatencies.latency(resolved),
  ])
  const { offerAmount } = price
  const transaction = signature && prepareOrder({ source, quote, signature, permit, value })
  const warnings =
    transaction && params.simulate
      ? await simulateOrder(context, params, { source, transaction, offerAmount })
      : []
  return {
    orderId: transaction && orderId,
    expiresAt: transaction && new Date(Number(quote.deadline) * 1_000),
    price,
    messageFee: value,
    wantAmount: params.wantAmount ?? null,
    conversionRateHundredthsBps: route.conversionRateHundredthsBps,
    estimatedLatencyMs,
    latency,
    destinationPaused: receiving.isPaused,
    transaction,
    warnings,
  }
}

function principalOf({ caller, clientAddress }: TransitContext): QuotePrincipal {
  return caller ? { organizationId: caller.organizationId } : { clientAddress }
}

function codeOf(caller: TransitContext['caller']): Hex {
  const code = caller?.defaultDistributorCode
  return code ? stationCode(code) : zeroHash
}

function makeQuote(
  { caller, settings }: TransitContext,
  params: QuoteParams,
  { resolved, state, price }: { resolved: ResolvedRoute; state: StationState; price: OrderPrice },
): TransitQuote {
  const { route, destination } = resolved
  return {
    route: {
      destEID: destination.eid,
      offerAsset: route.offerAsset,
      wantAsset: route.wantAsset,
    },
    offerAmount: price.offerAmount,
    receiver: params.userAddress,
    protocolFee: price.protocolFee,
    integratorFee: price.integratorFee,
    integratorFeeReceiver: params.integratorFeeReceiver ?? zeroAddress,
    distributorCode: params.distributorCode ?? codeOf(caller),
    deadline: BigInt(deadlineAfter(state.blockTime, settings.quoteTtlSeconds)),
    // Gives equal quotes different order ids.
    salt: toHex(randomBytes(32)),
  }
}
