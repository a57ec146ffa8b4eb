import type { z } from 'zod'
import { readBounded } from './readBounded.ts'

/** Where an outside provider is asked, and the key that it wants. Both are the operator's configuration. */
export type Provider = { url: string; apiKey: string }

const TIMEOUT_MS = 2_600
const MOST_BYTES = 64 * 1024

/**
 * Posts a question as JSON, and returns the checked answer. The key is the header `x-api-key`. Throws without a valid
 * answer in time. No redirect is followed, and no more than 64 KiB are read.
 */
export async function askProvider<Answer>(
  { url, apiKey }: Provider,
  question: unknown,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(question),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`the provider answers ${response.status}`)
  return schema.parse(JSON.parse(await readBounded(response, MOST_BYTES)))
}
