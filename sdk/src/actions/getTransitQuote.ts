import type { CallOptions, Connection } from '../connection/connection.ts'
import type { Answer, Parameters } from '../connection/operation.ts'
import { sendRequest } from '../connection/sendRequest.ts'
import { getOrderQuoteOperation } from '../generated/operations.ts'

export type TransitQuoteParameters = Parameters<'getOrderQuote'>

/** A quote, with the parameters that it was asked for. */
export type TransitQuote = Answer<'getOrderQuote'> & { request: TransitQuoteParameters }

/** The signed terms of an order and the transaction that submits it. `sendTransitOrder` sends it. */
export async function getTransitQuote(
  connection: Connection,
  params: TransitQuoteParameters,
  options?: CallOptions,
): Promise<TransitQuote> {
  const { data } = await sendRequest(connection, getOrderQuoteOperation, { params, options })
  // Only an `etag` leaves the data out.
  return { ...(data as Answer<'getOrderQuote'>), request: params }
}
