import type { CallOptions, Connection } from '../connection/connection.ts'
import type { Answer, Parameters } from '../connection/operation.ts'
import { sendRequest } from '../connection/sendRequest.ts'
import { getOrderQuoteOperation } from '../generated/operations.ts'

type Quoted = Answer<'getOrderQuote'>
/** The fields that only a signed quote has. */
type SignedField = 'orderId' | 'expiresAt' | 'transaction'

export type TransitQuoteParameters = Omit<Parameters<'getOrderQuote'>, 'indicative'>

/** The figures of a quote, with the parameters that it was asked for. */
export type IndicativeTransitQuote = Omit<Quoted, SignedField> & { request: TransitQuoteParameters }

/** The same, signed. */
export type TransitQuote = IndicativeTransitQuote & Required<Pick<Quoted, SignedField>>

/**
 * The signed terms of an order and the transaction that submits it. `sendTransitOrder` sends it.
 *
 * @example
 * const quote = await getTransitQuote(connection, wish)
 */
export async function getTransitQuote(
  connection: Connection,
  params: TransitQuoteParameters,
  options?: CallOptions,
): Promise<TransitQuote> {
  const { data } = await sendRequest(connection, getOrderQuoteOperation, { params, options })
  // Only an `etag` leaves the data out, and only an indicative quote the fields.
  return { ...(data as Required<Quoted>), request: params }
}

/**
 * The terms of an order to show until the user acts: nothing is signed or reserved. `sendTransitOrder` asks for a signed quote.
 *
 * @example
 * const { amountOut } = await getIndicativeTransitQuote(connection, wish)
 */
export async function getIndicativeTransitQuote(
  connection: Connection,
  request: TransitQuoteParameters,
  options?: CallOptions,
): Promise<IndicativeTransitQuote> {
  const params = { ...request, indicative: true }
  const { data } = await sendRequest(connection, getOrderQuoteOperation, { params, options })
  // Only an `etag` leaves the data out.
  return { ...(data as Quoted), request }
}
