import type { Hex } from 'viem'
import { type PreparedCall, prepareCall } from '../../call/preparedCall.ts'
import type { Permit } from '../../token/permit.ts'
import type { TransitQuote } from '../terms/quoteTypedData.ts'
import type { TransitChain } from '../transitChains.ts'

export type OrderCall = {
  source: TransitChain
  quote: TransitQuote
  /** The quote signer's signature, 65 bytes. */
  signature: Hex
  permit: Permit | null
  /** Wei. */
  value: bigint
}

/** The call that submits a signed quote, with a permit if there is one. */
export function prepareOrder(call: OrderCall): PreparedCall {
  const { source, quote, signature, permit, value } = call
  const place = { to: source.station, value }
  if (!permit) return prepareCall(place, 'station.submitOrder', [quote, signature])
  const { deadline, v, r, s } = permit
  return prepareCall(place, 'station.submitOrderWithPermit', [quote, signature, deadline, v, r, s])
}
