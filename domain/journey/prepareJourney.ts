import type { Address, Hex } from 'viem'
import { smartDepositMinimum } from '../addressBook/smartDepositMinimum.ts'
import { estimateGasLimit } from '../call/estimateGasLimit.ts'
import type { PreviewedCall } from '../call/preparedCall.ts'
import { depositError } from '../earn/deposits/depositError.ts'
import { depositReceivers, depositViolations } from '../earn/deposits/depositParams.ts'
import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'
import { earliestTime } from '../earn/earliestTime.ts'
import { baseOf } from '../earn/vaults/baseOf.ts'
import { getDeployment } from '../earn/vaults/deployments.ts'
import { refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, refusedField } from '../error/serviceError.ts'
import { blockedError } from '../receiver/blockedError.ts'
import { receiverRefusal } from '../receiver/refuseReceivers.ts'
import { screenPayment } from '../smartDeposit/paymentReads.ts'
import { registerSmartDepositAddress } from '../smartDeposit/registerSmartDepositAddress.ts'
import { permitOf } from '../token/permit.ts'
import { wholeUnits } from '../token/wholeUnits.ts'
import { priceWithinLimits } from '../transit/quotes/priceWithinLimits.ts'
import type { QuoteParams } from '../transit/quotes/quoteParams.ts'
import { signTransitOrder } from '../transit/quotes/quoteTransitOrder.ts'
import { routeNotFound } from '../transit/quotes/stationRefusals.ts'
import { findRoute } from '../transit/routes/resolvedRoutes.ts'
import type { JourneyContext } from './journeyContext.ts'
import { type JourneyParams, journeyViolations } from './journeyParams.ts'
import { type Arrival, amountForShares, judgeArrival } from './judgeArrival.ts'

/** The way of a prepared journey. `amountOut` is signed; what the vault gives for it is not. */
export type PreparedJourney = {
  /** The id that the order will have on chain. */
  id: Hex
  expiresAt: Date
  smartDepositAddress: Address
  /** The amount that the user pays, with the fees of the order; base units of the source asset. */
  offerAmount: bigint
  /** Base units of the deposit asset. */
  amountOut: bigint
  fees: { transit: { amount: bigint; asset: Address }; vault: { amount: bigint; asset: Address } }
  /** If it were sent now. Null while the route or the keeper has no history. */
  expectedBy: Date | null
}

/**
 * The transaction on the source chain whose order pays to the user's smart deposit address, which it registers. What the vault
 * would refuse on arrival is refused before anything is signed. Throws like `registerSmartDepositAddress`,
 * `signTransitOrder` and `deposit`.
 */
export async function prepareJourney(
  context: JourneyContext,
  params: JourneyParams,
): Promise<PreviewedCall & { journey: PreparedJourney }> {
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

  const { smartDepositAddress: registered } = await registerSmartDepositAddress(context, {
    userDestinationAddress: to,
    vaultAddress: params.vaultAddress,
    inputToken: asset,
    chainId,
    customerId: params.customerId,
  })
  const smartDepositAddress = registered.toLowerCase() as Address
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

  const permit = permitOf(params)
  const quoted: Omit<QuoteParams, 'indicative'> = {
    ...route,
    ...amounts,
    userAddress: smartDepositAddress,
    payerAddress: payer,
    permitSignature: params.permitSignature,
    permitDeadline: params.permitDeadline,
    simulate: params.simulate,
  }
  const quote = await signTransitOrder(context, quoted)
  const { offerAmount: amount } = quote.price
  const assumed = {
    token: sourceAsset,
    amount,
    ...(permit ? {} : { spender: quote.transaction.to }),
  }
  const [gasLimit, keeperMs] = await Promise.all([
    estimateGasLimit(context, {
      chainId: sourceChainId,
      transaction: quote.transaction,
      sender: payer,
      assumed,
    }),
    context.keeperLatencies.p90(chainId),
  ])
  const transitMs = quote.latency?.p90Ms ?? null
  return {
    transaction: quote.transaction,
    preview: {
      expectedShares: expected.shares,
      minimumShares: expected.minimumShares,
      expectedAssets: null,
      minimumAssets: null,
      fee: expected.fee,
      exchangeRateToBase: wholeUnits(expected.rateInBase, baseOf(context, deployment).decimals),
      validUntil: earliestTime(permit?.deadline, BigInt(quote.expiresAt.getTime() / 1_000)),
      gasLimit,
    },
    journey: {
      id: quote.orderId,
      expiresAt: quote.expiresAt,
      smartDepositAddress,
      offerAmount: amount,
      amountOut: quote.price.amountOut,
      fees: { transit: { amount: quote.price.totalFees, asset: sourceAsset }, vault: expected.fee },
      expectedBy:
        transitMs === null || keeperMs === null
          ? null
          : new Date(Date.now() + transitMs + keeperMs),
    },
    warnings: quote.warnings,
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
