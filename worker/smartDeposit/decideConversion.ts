import type { Hex } from 'viem'
import { stationCode } from '../../domain/access/stationCode.ts'
import { smartDepositMinimum } from '../../domain/addressBook/smartDepositMinimum.ts'
import {
  type Decision,
  decideSettlement,
  screenDestinationOf,
  sendBack,
  type Waiting,
} from '../../domain/smartDeposit/decideSettlement.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { convertCall } from '../../domain/smartDeposit/settlementCall.ts'
import { findRoute, type ResolvedRoute } from '../../domain/transit/routes/resolvedRoutes.ts'
import type { Keeper } from './keeper.ts'
import { type QuoteRefusal, QuotesUnavailableError, type WantedOrder } from './orderQuotes.ts'

/** A payment that no Transit order of the book takes: no look at the chain changes that. */
export function unlistedRefusal(
  { service }: Pick<Keeper, 'service'>,
  deposit: KeeperDeposit,
): Waiting | null {
  const route = routeFor(service, deposit)
  const untilBookChanges = {
    kind: 'retain',
    reason: 'TOKEN_NOT_ACCEPTED',
    isLasting: true,
  } as const
  if (!route)
    return {
      ...untilBookChanges,
      why: 'no Transit route leads from it to what the address accepts',
    }
  const { minOrderSize } = route.route
  if (deposit.receivedAmount >= BigInt(minOrderSize)) return null
  return { ...untilBookChanges, why: `less than the least order of its route: ${minOrderSize}` }
}

/**
 * Decides about a payment in another token, or on another chain, than the address accepts: it is sent on by a Transit order to the same
 * address, if the vault would take what arrives. Throws `RPC_UNAVAILABLE`.
 */
export async function decideConversion(
  keeper: Keeper,
  deposit: KeeperDeposit,
  distributorCode: Hex,
): Promise<Decision> {
  const { service, orderQuotes, chain } = keeper
  const screened = await screenDestinationOf(service, deposit)
  if (screened) return screened
  if (deposit.isRefundOrdered) return sendBack('refund', deposit, 'its organization ordered it')
  const order: WantedOrder = {
    sourceChainId: deposit.chainId,
    offerAsset: deposit.token,
    offerAmount: deposit.receivedAmount,
    destinationChainId: deposit.addressChainId,
    wantAsset: deposit.inputToken,
    receiver: deposit.address,
    distributorCode: stationCode(distributorCode),
  }
  try {
    const figures = await orderQuotes.amountOut(order)
    if ('reason' in figures) return refusedBy(figures)
    const { addressChainId: chainId, inputToken: token } = deposit
    const least = smartDepositMinimum(service.addressBook, { chainId, token })
    if (figures.amountOut < least)
      return {
        kind: 'retain',
        reason: 'TOKEN_NOT_ACCEPTED',
        why: `no Transit order takes it now: less than ${least} would arrive`,
      }
    const arrival = { ...deposit, chainId, token, receivedAmount: figures.amountOut }
    const atHome = await decideSettlement(service, arrival, distributorCode)
    if (atHome.kind === 'refund' || atHome.kind === 'recover')
      return sendBack(atHome.kind, deposit, atHome.why)
    if (atHome.kind !== 'forward') return atHome
    const signed = await orderQuotes.sign(order)
    if ('reason' in signed) return refusedBy(signed)
    if (signed.value > BigInt(chain.transitStation?.maxMessageFee ?? 0))
      return { kind: 'wait', why: "the fee of its message is above the book's maximum" }
    return {
      kind: 'convert',
      call: convertCall(deposit, deposit.paymentId, signed),
      expiresAt: new Date(Number(signed.quote.deadline) * 1_000),
    }
  } catch (error) {
    if (!(error instanceof QuotesUnavailableError)) throw error
    return { kind: 'wait', why: error.message }
  }
}

function routeFor(
  { addressBook }: Keeper['service'],
  { chainId, token, addressChainId, inputToken }: KeeperDeposit,
): ResolvedRoute | undefined {
  return findRoute(addressBook, {
    sourceChainId: chainId,
    offerAsset: token,
    destinationChainId: addressChainId,
    wantAsset: inputToken,
  })
}

/** The order will not be taken as it is. */
const REFUSED = ['BELOW_MIN_ORDER_SIZE', 'ABOVE_MAX_ORDER_SIZE', 'QUOTE_FEE_TOO_HIGH']
/** The route is closed for a while. One that is not found is in the book, and its station does not approve it now. */
const CLOSED = [
  'ROUTE_NOT_FOUND',
  'STATION_PAUSED',
  'STATION_NOT_CONNECTED',
  'ROUTE_PAUSED',
  'ROUTE_EXHAUSTED',
]

function refusedBy({ reason, message }: QuoteRefusal): Waiting {
  const why = `no Transit order takes it now: ${message}`
  if (REFUSED.includes(reason)) return { kind: 'retain', reason: 'TOKEN_NOT_ACCEPTED', why }
  if (CLOSED.includes(reason)) return { kind: 'wait', reason: 'TOKEN_NOT_ACCEPTED', why }
  return { kind: 'wait', why }
}
