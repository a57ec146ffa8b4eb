import type { CallWarning, PreparedCall } from '../../call/preparedCall.ts'
import { simulateCall } from '../../call/simulateCall.ts'
import type { SharedServices } from '../../context.ts'
import { submitErrors } from '../transactions/submitErrors.ts'
import type { TransitChain } from '../transitChains.ts'
import type { QuoteParams } from './quoteParams.ts'

/** `offerAmount` in base units of the offer asset. */
type Simulated = { source: TransitChain; transaction: PreparedCall; offerAmount: bigint }

/**
 * Runs an order against the chain's present state, as if the payer had the offer, the message fee, and,
 * without a permit, the approval. Returns and throws as `simulateCall` does.
 */
export function simulateOrder(
  context: Pick<SharedServices, 'chains'>,
  params: QuoteParams,
  { source, transaction, offerAmount: amount }: Simulated,
): Promise<CallWarning[]> {
  const { userAddress, payerAddress = userAddress, offerAsset: token, permitSignature } = params
  const spender = permitSignature === undefined ? { spender: source.station } : {}
  return simulateCall(context, {
    chainId: source.chainId,
    transaction,
    sender: payerAddress,
    assumed: { token, amount, ...spender },
    errors: submitErrors,
  })
}
