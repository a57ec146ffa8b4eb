import type { Address, Hex } from 'viem'
import { expect } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import type { TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { quotePath } from '../support/quotes.ts'
import { type ErrorBody, expectRefusal, type Refusal } from '../support/refusal.ts'
import type { QuoteCase } from './quoteCases.ts'

type Body = ErrorBody & {
  orderId: Hex
  expiresAt: string
  destinationPaused: boolean
  transaction: { to: Address; data: Hex; value: string; functionName: string; args: unknown[] }
}

export const LOCAL = { from: 1, to: 1, offer: 'USDC', want: 'USDG' } as const
export const OFFER = 2_000_000_000n
/** Parameters of a quote that is not refused. */
export const good = { userAddress: userAt(0).address, offerAmount: String(OFFER) }

/** The answer for a path, which the OpenAPI document must describe. */
export async function askQuote(api: TestApi, path: string) {
  const answer = await getJson<Body>(`${api.url}${path}`)
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  return answer
}

type Wish = Refusal & Pick<QuoteCase, 'ends' | 'parameters'>

export async function expectQuoteRefused(
  api: TestApi,
  { ends = LOCAL, parameters, ...refusal }: Wish,
) {
  expectRefusal(await askQuote(api, quotePath(ends, { ...good, ...parameters })), refusal)
}
