import type { Address } from 'viem'
import { smartDepositMinimum } from '../addressBook/smartDepositMinimum.ts'
import { depositError } from '../earn/deposits/depositError.ts'
import { depositReceivers, depositViolations } from '../earn/deposits/depositParams.ts'
import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'
import { baseOf } from '../earn/vaults/baseOf.ts'
import { getDeployment } from '../earn/vaults/deployments.ts'
import { refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, refusedField } from '../error/serviceError.ts'
import { blockedError } from '../receiver/blockedError.ts'
import { receiverRefusal } from '../receiver/refuseReceivers.ts'
import { screenPayment } from '../smartDeposit/paymentReads.ts'
import type { SmartDepositAddressParams } from '../smartDeposit/smartDepositParams.ts'
import { wholeUnits } from '../token/wholeUnits.ts'
import { priceWithinLimits } from '../transit/quotes/priceWithinLimits.ts'
import type { QuoteParams } from '../transit/quotes/quoteParams.ts'
import type { TransitOrderQuote } from '../transit/quotes/quoteTransitOrder.ts'
import { routeNotFound } from '../transit/quotes/stationRefusals.ts'
import { findRoute } from '../transit/routes/resolvedRoutes.ts'
import type { JourneyContext } from './journeyContext.ts'
import { type JourneyParams, journeyViolations } from './journeyParams.ts'
import { type Arrival, type ArrivalPreview, amountForShares, judgeArrival } from './judgeArrival.ts'

/** The costs of a journey, and the amount that arrives. */
export type JourneyTerms = {
  /** The amount that the user pays, with the fees of the order; base units of the source asset. */
  offerAmount: bigint
  /** Base units of the deposit asset. */
  amountOut: bigint
  fees: { transit: { amount: bigint; asset: Address }; vault: { amount: bigint; asset: Address } }
  /** If it were sent now. Null while the route or the keeper has no history. */
  expectedBy: Date | null
}

/** A journey that its vault would take now. Its order is not quoted yet. */
export type JudgedJourney = {
  smartDepositAddress: Address
  order: Omit<QuoteParams, 'indicative' | 'simulate'>
  expected: ArrivalPreview
  /** The value of a whole share in the base token, in whole units. */
  exchangeRateToBase: string
}

/**
 * Judges the payment of the order as the keeper will when it arrives at the address that `addressOf` gives. Throws the refusals of the
 * vault, the errors of `deposit`, and those of `addressOf`.
 */
export async function judgeJourney(
  context: JourneyContext,
  params: JourneyParams,
  addressOf: (inputs: SmartDepositAddressParams) => Promise<Address>,
): Promise<JudgedJourney> {
  const violations = [...depositViolations(params), ...journeyViolations(params)]
  refuseTogether([
    violations.length > 0 ? invalidFields(violations) : undefined,
    receiverRefusal(context.addressBook, depositReceivers(params)),
  ])
  const { chainId, depositAsset: asset, userAddress: payer, sourceChainId, sourceAsset } = params
  const to = params.to ?? payer
  const deployment = getDeployment(context.addressBook, chainId, params.vaultAddress)
  const route = {
    sourceChainId,
    offerAsset: sourceAsset,
    destinationChainId: chainId,
    wantAsset: asset,
  }
  const resolved = findRoute(context.addressBook, route)
  if (!resolved) throw routeNotFound(context, route)
  const refuse = (refusal: DepositRefusal) => depositError(refusal, deployment, params)
  if (deployment.inDeprecation) throw refuse({ because: 'VAULT_DEPRECATED' })
  if (!deployment.assets.some(({ address }) => address === asset))
    throw refuse({ because: 'ASSET_NOT_DEPOSITABLE' })

  const smartDepositAddress = await addressOf({
    userDestinationAddress: to,
    vaultAddress: params.vaultAddress,
    inputToken: asset,
    chainId,
    customerId: params.customerId,
  })
  const payment = {
    chainId,
    address: smartDepositAddress,
    inputToken: asset,
    userDestinationAddress: to,
  }
  const screened = await screenPayment(context, payment)
  // While nobody can say, the keeper asks again when the money arrives.
  if (screened === 'sanctioned' || screened === 'blocked') {
    const why = screened === 'blocked' ? 'token' : 'sanctions'
    throw blockedError({ field: params.to ? 'to' : 'userAddress', account: to, why })
  }
  const arrival: Arrival = { deployment, payment, refuse }
  const amounts =
    params.wantShares === undefined
      ? { offerAmount: params.depositAmount }
      : { wantAmount: await amountForShares(context, arrival, params.wantShares) }
  const price = priceWithinLimits(amounts, resolved, await context.executionCosts.pricing(resolved))
  refuseSmallPayment(context, params, price.amountOut)
  const expected = await judgeArrival(context, arrival, price.amountOut)
  return {
    smartDepositAddress,
    order: { ...route, ...amounts, userAddress: smartDepositAddress, payerAddress: payer },
    expected,
    exchangeRateToBase: wholeUnits(expected.rateInBase, baseOf(context, deployment).decimals),
  }
}

/** Throws `DEPOSIT_TOO_SMALL` for what the keeper would leave at its address: less than its token's least payment. */
function refuseSmallPayment(
  { addressBook }: Pick<JourneyContext, 'addressBook'>,
  { chainId, depositAsset, wantShares }: JourneyParams,
  amountOut: bigint,
) {
  const least = smartDepositMinimum(addressBook, { chainId, token: depositAsset })
  if (amountOut >= least) return
  throw refusedField('DEPOSIT_TOO_SMALL', {
    field: wantShares === undefined ? 'depositAmount' : 'wantShares',
    description: `${amountOut} base units of depositAsset would arrive, and at least ${least} are deposited`,
    message: `the deposit is too small: ${amountOut} base units would arrive, and at least ${least} are deposited`,
    metadata: { fee: '0', minimum: String(least) },
  })
}

/** The terms of a judged journey whose order is quoted like this. */
export async function termsOf(
  { keeperLatencies }: Pick<JourneyContext, 'keeperLatencies'>,
  { order, expected }: JudgedJourney,
  { price, latency }: Pick<TransitOrderQuote, 'price' | 'latency'>,
): Promise<JourneyTerms> {
  const keeperMs = await keeperLatencies.p90(order.destinationChainId)
  const transitMs = latency?.p90Ms ?? null
  const { offerAmount, amountOut, totalFees } = price
  return {
    offerAmount,
    amountOut,
    fees: { transit: { amount: totalFees, asset: order.offerAsset }, vault: expected.fee },
    expectedBy:
      transitMs === null || keeperMs === null ? null : new Date(Date.now() + transitMs + keeperMs),
  }
}
