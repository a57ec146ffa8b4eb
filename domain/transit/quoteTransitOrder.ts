import { randomBytes } from 'node:crypto'
import { type Address, type Hex, type PublicClient, toHex, zeroAddress, zeroHash } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { PreparedCall } from '../chain/preparedCall.ts'
import { revertOf } from '../chain/revert.ts'
import type { RequestContext } from '../context.ts'
import type { Reason } from '../error/reason.ts'
import { invalidFields, ServiceError } from '../error/serviceError.ts'
import { checksummed } from '../token/checksummed.ts'
import { prepareSubmission } from './prepareSubmission.ts'
import {
  fitsStation,
  maxIntegratorFee,
  maxProtocolFee,
  minOrderSize,
  type OrderPrice,
  type OrderPricing,
  priceOrder,
} from './priceOrder.ts'
import { permitOf, type QuoteParams, quoteViolations } from './quoteParams.ts'
import type { QuoteSigner } from './quoteSigner.ts'
import { quoteOrderId, type TransitQuote } from './quoteTypedData.ts'
import { simulateOrder } from './simulateOrder.ts'
import type { StationState } from './stationStates.ts'
import { findRoute, type JoinedRoute } from './transitRoutes.ts'

/** A signed quote, ready to send. Amounts are offer base units but for `amountOut` (want). */
export type TransitOrderQuote = OrderPrice & {
  /** The id that the order will have on chain. */
  orderId: Hex
  /** The deadline that was signed. */
  expiresAt: Date
  conversionRateHundredthsBps: number
  estimatedLatencyMs: number | null
  transaction: PreparedCall
}

/**
 * Prices, signs and prepares an order as its station will take it. Throws what it would be refused for
 * (`INVALID_FIELD`, `ROUTE_NOT_FOUND`, `BELOW_MIN_ORDER_SIZE`, `ABOVE_MAX_ORDER_SIZE`,
 * `QUOTE_FEE_TOO_HIGH`, `SIMULATION_FAILED`), or cannot be now (`STATION_PAUSED`,
 * `STATION_NOT_CONNECTED`, `QUOTE_SIGNER_UNAVAILABLE`, `PRICE_UNAVAILABLE`, `RPC_UNAVAILABLE`).
 */
export async function quoteTransitOrder(
  context: RequestContext,
  params: QuoteParams,
): Promise<TransitOrderQuote> {
  const violations = quoteViolations(params)
  if (violations.length > 0) throw invalidFields(violations)
  const joined = findRoute(context.addressBook, params)
  if (!joined) throw routeNotFound()
  const [state, pricing, estimatedLatencyMs] = await Promise.all([
    context.stations.get(params.sourceChainId),
    context.fillCosts.pricing(joined.route),
    context.routeLatencies.estimate(joined.route, params.offerAmount),
  ])
  if (!state.approved.has(joined.key)) throw routeNotFound()
  const price = acceptablePrice(params, joined, pricing)
  const signer = readySigner(context, joined, state)
  const { quote, expiresAt } = await makeQuote(context, params, { joined, state, price })
  const { route, source } = joined
  const station = { chainId: route.sourceChainId, station: source.transitStation.address }
  const orderId = quoteOrderId(quote, station)
  const [signature, value] = await Promise.all([
    signer.sign(quote, station),
    messageValue(context, joined, { orderId, quote, price }),
  ])
  const transaction = prepareSubmission({
    ...{ station: station.station, quote, signature, value },
    permit: permitOf(params),
  })
  if (params.simulate) await simulateOrder(context, params, { station, transaction })
  return {
    ...price,
    ...{ orderId, expiresAt, estimatedLatencyMs, transaction },
    conversionRateHundredthsBps: route.conversionRateHundredthsBps,
  }
}

function routeNotFound() {
  return new ServiceError('ROUTE_NOT_FOUND', 'There is no route for these assets and chains')
}

/** The price, if the station takes an order at it. */
function acceptablePrice(
  { offerAmount, integratorFee = 0n }: QuoteParams,
  { route }: JoinedRoute,
  pricing: OrderPricing,
): OrderPrice {
  if (!fitsStation(offerAmount, pricing))
    throw invalidFields([
      { field: 'offerAmount', description: 'larger than the station can calculate with' },
    ])
  refuseSize(offerAmount, route, minOrderSize(route, pricing))
  const price = priceOrder(offerAmount, pricing, integratorFee)
  if (price.protocolFee > maxProtocolFee(offerAmount))
    throw new Error('Invariant(acceptablePrice): from the least order size on the fee is in bounds')
  const most = maxIntegratorFee(offerAmount)
  if (integratorFee > most || price.amountOut === 0n)
    throw new ServiceError(
      'QUOTE_FEE_TOO_HIGH',
      integratorFee > most
        ? `The integrator fee is more than the ${most} that the station takes of this offer`
        : 'The fees leave nothing to deliver',
      {
        metadata: { integratorFee: String(integratorFee), maxIntegratorFee: String(most) },
        fieldViolations: [{ field: 'integratorFee', description: `at most ${most}` }],
      },
    )
  return price
}

function refuseSize(
  offerAmount: bigint,
  { offerAsset, maxOrderSize }: JoinedRoute['route'],
  least: bigint,
) {
  const asset = checksummed(offerAsset)
  if (offerAmount < least)
    throw outOfSize('BELOW_MIN_ORDER_SIZE', `at least ${least}`, {
      ...{ asset, minOrderSize: String(least) },
    })
  if (maxOrderSize !== null && offerAmount > BigInt(maxOrderSize))
    throw outOfSize('ABOVE_MAX_ORDER_SIZE', `at most ${maxOrderSize}`, { asset, maxOrderSize })
}

function outOfSize(reason: Reason, bound: string, metadata: Record<string, string>) {
  return new ServiceError(reason, `The route takes ${bound} base units of its offer asset`, {
    metadata,
    fieldViolations: [{ field: 'offerAmount', description: bound }],
  })
}

/** The signer, if the station takes orders, by its quotes, to that destination. */
function readySigner(
  { quoteSigner }: RequestContext,
  { source, destination }: JoinedRoute,
  state: StationState,
): QuoteSigner {
  const station = `The transit station of chain ${source.id}`
  if (state.isPaused) throw unavailable(source.id, 'STATION_PAUSED', `${station} is paused`)
  if (!state.isPublic)
    throw unavailable(source.id, 'STATION_PAUSED', `${station} takes no orders from the public`)
  const lacking = [
    ...(state.peers.has(destination.eid) ? [] : ['peer']),
    ...(state.gasLimits.has(destination.eid) ? [] : ['gas limit']),
  ]
  if (destination.id !== source.id && lacking.length > 0)
    throw unavailable(
      source.id,
      'STATION_NOT_CONNECTED',
      `${station} has no ${lacking.join(' and no ')} for chain ${destination.id}`,
    )
  if (quoteSigner?.address === state.quoteSigner) return quoteSigner
  throw unavailable(
    source.id,
    'QUOTE_SIGNER_UNAVAILABLE',
    `This server makes no quotes for the transit station of chain ${source.id} now`,
    new Error(
      `station ${source.transitStation.address} of chain ${source.id} takes quotes of ` +
        `${state.quoteSigner}; this server signs as ${quoteSigner?.address ?? 'nobody'}`,
    ),
  )
}

function unavailable(chainId: number, reason: Reason, message: string, cause?: Error) {
  return new ServiceError(reason, message, {
    metadata: { chainId: String(chainId) },
    retryAfterSeconds: 5,
    cause,
  })
}

async function makeQuote(
  { caller, settings }: RequestContext,
  params: QuoteParams,
  { joined, state, price }: { joined: JoinedRoute; state: StationState; price: OrderPrice },
): Promise<{ quote: TransitQuote; expiresAt: Date }> {
  const { route, destination } = joined
  const now = Math.max(Math.floor(Date.now() / 1_000), state.blockTime)
  const deadline = now + settings.quoteTtlSeconds
  const quote = {
    route: {
      destEID: destination.eid,
      offerAsset: route.offerAsset,
      wantAsset: route.wantAsset,
    },
    offerAmount: params.offerAmount,
    receiver: params.userAddress,
    protocolFee: price.protocolFee,
    integratorFee: price.integratorFee,
    integratorFeeReceiver: params.integratorFeeReceiver ?? zeroAddress,
    distributorCode: params.distributorCode ?? caller?.defaultDistributorCode ?? zeroHash,
    deadline: BigInt(deadline),
    // Makes equal quotes different orders.
    salt: toHex(randomBytes(32)),
  }
  return { quote, expiresAt: new Date(deadline * 1_000) }
}

/** In wei: what the station asks for the message, with head-room; the endpoint refunds what is over. */
async function messageValue(
  { chains, settings }: RequestContext,
  { route, source, destination }: JoinedRoute,
  { orderId, quote, price }: { orderId: Hex; quote: TransitQuote; price: OrderPrice },
): Promise<bigint> {
  if (source.id === destination.id) return 0n
  const terms = {
    uuid: orderId,
    wantAsset: route.wantAsset,
    receiver: quote.receiver,
    offerAsset: route.offerAsset,
    offerAmountNormalized18AfterFees: price.netNormalized18,
  }
  const fee = await chains.read(source.id, (client) =>
    quoteSend(client, source.transitStation.address, [destination.eid, terms]).catch((error) => {
      const revert = revertOf(error, transitStationAbi)
      if (!revert) throw error
      throw new ServiceError(
        'STATION_NOT_CONNECTED',
        `The transit station of chain ${source.id} cannot send to chain ${destination.id}`,
        { metadata: { chainId: String(source.id), error: revert.errorName }, retryAfterSeconds: 5 },
      )
    }),
  )
  return fee + (fee * BigInt(settings.messageFeeHeadroomPercent) + 99n) / 100n
}

type QuoteSendArgs = readonly [
  destEID: number,
  terms: {
    uuid: Hex
    wantAsset: Address
    receiver: Address
    offerAsset: Address
    offerAmountNormalized18AfterFees: bigint
  },
]

function quoteSend(client: PublicClient, address: Address, args: QuoteSendArgs) {
  return client.readContract({ address, abi: transitStationAbi, functionName: 'quoteSend', args })
}
