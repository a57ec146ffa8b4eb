import { depositViolations } from '../earn/deposits/depositParams.ts'
import { invalidFields } from '../error/serviceError.ts'
import { expectedSmartDepositAddress } from '../smartDeposit/registerSmartDepositAddress.ts'
import { quoteTransitOrder } from '../transit/quotes/quoteTransitOrder.ts'
import { inDepositTerms } from './inDepositTerms.ts'
import type { JourneyContext } from './journeyContext.ts'
import { isJourney, type JourneyParams, journeyViolations } from './journeyParams.ts'
import { type JourneyTerms, judgeJourney, termsOf } from './judgeJourney.ts'

/** The terms of a journey if it were sent now. Shares are after all fees. */
export type JourneyQuote = JourneyTerms & {
  expectedShares: bigint
  minimumShares: bigint
  /** The value of a whole share in the base token, in whole units. */
  exchangeRateToBase: string
  /** Whether the destination's station is paused: the order would wait there. */
  destinationPaused: boolean
}

export type JourneyQuoteParams = Omit<
  JourneyParams,
  'permitSignature' | 'permitDeadline' | 'simulate'
>

/**
 * The figures of a deposit from another chain or token. Signs, registers and counts nothing. Throws like `depositFromAnywhere`,
 * except `ROUTE_EXHAUSTED` and `SIMULATION_FAILED`.
 */
export async function quoteJourney(
  context: JourneyContext,
  quoted: JourneyQuoteParams,
): Promise<JourneyQuote> {
  const params = { ...quoted, simulate: false }
  if (!isJourney(params))
    throw invalidFields([...depositViolations(params), ...journeyViolations(params), plainDeposit])
  return inDepositTerms(params, async () => {
    const judged = await judgeJourney(context, params, (inputs) =>
      expectedSmartDepositAddress(context, inputs),
    )
    const { order, expected, exchangeRateToBase } = judged
    const quote = await quoteTransitOrder(context, { ...order, simulate: false, indicative: true })
    return {
      ...(await termsOf(context, judged, quote)),
      expectedShares: expected.shares,
      minimumShares: expected.minimumShares,
      exchangeRateToBase,
      destinationPaused: quote.destinationPaused,
    }
  })
}

const plainDeposit = {
  field: 'sourceAsset',
  description: 'is depositAsset on the chain of the vault, which makes a plain deposit',
}
