import type { Address, Hex } from 'viem'
import { estimateGasLimit } from '../call/estimateGasLimit.ts'
import type { PreviewedCall } from '../call/preparedCall.ts'
import { earliestTime } from '../earn/earliestTime.ts'
import { registerSmartDepositAddress } from '../smartDeposit/registerSmartDepositAddress.ts'
import { permitOf } from '../token/permit.ts'
import { signTransitOrder } from '../transit/quotes/quoteTransitOrder.ts'
import type { JourneyContext } from './journeyContext.ts'
import type { JourneyParams } from './journeyParams.ts'
import { type JourneyTerms, judgeJourney, termsOf } from './judgeJourney.ts'

/** The way of a prepared journey. `amountOut` is signed; what the vault gives for it is not. */
export type PreparedJourney = JourneyTerms & {
  /** The id that the order will have on chain. */
  id: Hex
  expiresAt: Date
  smartDepositAddress: Address
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
  const judged = await judgeJourney(context, params, async (inputs) => {
    const { smartDepositAddress } = await registerSmartDepositAddress(context, inputs)
    return smartDepositAddress.toLowerCase() as Address
  })
  const { smartDepositAddress, order, expected, exchangeRateToBase } = judged
  const { permitSignature, permitDeadline, simulate } = params
  const permit = permitOf(params)
  const quote = await signTransitOrder(context, {
    ...order,
    permitSignature,
    permitDeadline,
    simulate,
  })
  const { transaction, orderId, expiresAt } = quote
  const assumed = {
    token: params.sourceAsset,
    amount: quote.price.offerAmount,
    ...(permit ? {} : { spender: transaction.to }),
  }
  const [gasLimit, terms] = await Promise.all([
    estimateGasLimit(context, {
      chainId: params.sourceChainId,
      transaction,
      sender: params.userAddress,
      assumed,
    }),
    termsOf(context, judged, quote),
  ])
  return {
    transaction,
    preview: {
      expectedShares: expected.shares,
      minimumShares: expected.minimumShares,
      expectedAssets: null,
      minimumAssets: null,
      fee: expected.fee,
      exchangeRateToBase,
      validUntil: earliestTime(permit?.deadline, BigInt(expiresAt.getTime() / 1_000)),
      gasLimit,
    },
    journey: { id: orderId, expiresAt, smartDepositAddress, ...terms },
    warnings: quote.warnings,
  }
}
