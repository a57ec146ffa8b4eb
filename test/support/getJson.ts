import { ask } from './ask.ts'
import type { ErrorBody } from './refusal.ts'

type AnyOrder = Record<string, unknown> & {
  id: `0x${string}`
  status: string
  tokenMetadata: object
}

type Body = {
  order: AnyOrder
  orders: AnyOrder[]
  nextPageToken: string | null
  tokenMetadata: object
  error: ErrorBody['error']
}

/** One GET over HTTP. The status decides which part of `body` exists; it is empty on a 304. */
export async function getJson<Answer = unknown>(url: string, headers: Record<string, string> = {}) {
  const response = await ask(url, { headers })
  const text = await response.text()
  const body = (text === '' ? {} : JSON.parse(text)) as Body & Answer
  return {
    url,
    status: response.status,
    headers: response.headers,
    body,
    reason: body.error?.details?.at(-1)?.reason ?? null,
  }
}
