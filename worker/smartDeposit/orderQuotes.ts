import { type Address, decodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { z } from 'zod'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { readBounded } from '../../domain/provider/readBounded.ts'
import type { Conversion } from '../../domain/smartDeposit/settlementCall.ts'

/** What the keeper wants to send on, and to whom. Amounts are base units. */
export type WantedOrder = {
  sourceChainId: number
  offerAsset: Address
  offerAmount: bigint
  destinationChainId: number
  wantAsset: Address
  receiver: Address
  /** 32 bytes. */
  distributorCode: Hex
}

/** The api's answer without a quote: its reason, and its words for people. */
export type QuoteRefusal = { reason: string; message: string }

/**
 * Quotes of Transit orders, from the api: it alone has the quote signer, so that no keeper can sign a quote. All throw
 * `QuotesUnavailableError` without a valid answer in time.
 */
export type OrderQuotes = {
  /** What the order would pay now, in base units of the want asset; nothing is signed. */
  amountOut(order: WantedOrder): Promise<{ amountOut: bigint } | QuoteRefusal>
  sign(order: WantedOrder): Promise<Conversion | QuoteRefusal>
}

/** The api gave no answer. The same question may succeed later. */
export class QuotesUnavailableError extends Error {
  override name = 'QuotesUnavailableError'
}

/** A silent api holds up a pass no longer than a silent provider. */
const TIMEOUT_MS = 2_600
const MOST_BYTES = 64 * 1024

const amount = z.string().regex(/^\d+$/).transform(BigInt)
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value))
const figuresSchema = z.object({ amountOut: amount })
const signedSchema = z
  .object({ transaction: z.object({ value: amount, data: hex }) })
  .transform(({ transaction: { data, value } }) => ({
    call: decodeFunctionData({ abi: transitStationAbi, data }),
    value,
  }))
const errorSchema = z.object({
  error: z.object({
    message: z.string(),
    details: z.array(z.object({ reason: z.string().optional() })),
  }),
})

/** The quotes of the api at this URL. `apiKey` is null where it answers without one. */
export function httpOrderQuotes(url: string, apiKey: string | null): OrderQuotes {
  async function ask<Answer>(order: WantedOrder, isIndicative: boolean, schema: z.ZodType<Answer>) {
    try {
      const { receiver, ...ends } = order
      const query = new URLSearchParams({ userAddress: receiver, indicative: String(isIndicative) })
      for (const [name, value] of Object.entries(ends)) query.set(name, String(value))
      const response = await fetch(new URL(`/v1/transit/orders/quote?${query}`, url), {
        headers: apiKey === null ? {} : { 'x-api-key': apiKey },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const body: unknown = JSON.parse(await readBounded(response, MOST_BYTES))
      return response.ok ? schema.parse(body) : refusalOf(errorSchema.parse(body))
    } catch (cause) {
      throw new QuotesUnavailableError('the api gives no quote', { cause })
    }
  }
  return {
    amountOut: (order) => ask(order, true, figuresSchema),
    async sign(order) {
      const answer = await ask(order, false, signedSchema)
      return 'reason' in answer ? answer : signedOrder(answer, order)
    },
  }
}

function refusalOf({ error: { message, details } }: z.output<typeof errorSchema>): QuoteRefusal {
  const reason = details.find((detail) => detail.reason !== undefined)?.reason
  return { reason: reason ?? 'UNEXPECTED', message }
}

/** The account checks all else of a quote itself. */
function signedOrder(
  { call, value }: z.output<typeof signedSchema>,
  order: WantedOrder,
): Conversion {
  if (call.functionName !== 'submitOrder')
    throw new QuotesUnavailableError('the api quotes no order')
  const [quote, signature] = call.args
  const { route, offerAmount } = quote
  if (offerAmount !== order.offerAmount || !isAddressEqual(route.offerAsset, order.offerAsset))
    throw new QuotesUnavailableError('the api quotes another order')
  return { quote, signature, value }
}
