import { Webhook } from 'standardwebhooks'
import type { components } from '../generated/api.ts'

/** An event as a webhook sends it. `type` discriminates; amounts and chain ids are text. */
export type CausewayEvent = components['schemas']['EventBody']

/** The types of events. */
export type CausewayEventType = CausewayEvent['type']

/** Headers of a request, as `fetch` or as Node has them. Names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | string[] | undefined>>

export type VerifyWebhookParameters = {
  /** `whsec_…`. Of several, one has to fit: keep the old one here while a secret is rotated. */
  secrets: string | readonly string[]
  headers: WebhookHeaders
  /** The body as it came, before any parsing. */
  body: string | Uint8Array
}

/** A request that is not a webhook of this endpoint: a wrong signature, or one of more than five minutes ago or ahead. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * The event of a webhook request, once its signature and its time are right. Throws `WebhookVerificationError`, or a
 * `TypeError` for a body that was parsed already. The same event can come again: deduplicate on `id`.
 */
export function verifyWebhook({ secrets, headers, body }: VerifyWebhookParameters): CausewayEvent {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(
      'body: expected it as it came, text or bytes, because the signature is over those; got a parsed one. Read it before any body parser',
    )
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = Object.fromEntries(HEADERS.map((name) => [name, headerOf(headers, name)]))
  const keys = [secrets].flat()
  if (keys.length === 0) throw new TypeError('secrets: expected at least one')
  const failures = keys.map((secret) => {
    try {
      new Webhook(secret).verify(text, signed, { jsonParse: false })
      return null
    } catch (error) {
      return error as Error // The library throws nothing else.
    }
  })
  if (!failures.includes(null))
    throw new WebhookVerificationError(failures[0]?.message ?? '', { cause: failures[0] })
  return JSON.parse(text) as CausewayEvent
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetch(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return [value ?? ''].flat().join(' ')
}

function isFetch(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}
