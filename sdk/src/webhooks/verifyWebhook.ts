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
  /** By how much its time may differ from the clock of this machine. Default 300, which is five minutes. */
  toleranceSeconds?: number | undefined
}

/**
 * A request that is not a webhook of this endpoint: a wrong signature, or a time too long ago or ahead.
 *
 * @example
 * if (error instanceof WebhookVerificationError) response.writeHead(401).end()
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const TOLERANCE_SECONDS = 300
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * The event of a webhook request, once its signature and its time are right. Throws `WebhookVerificationError`, or a
 * `TypeError` for a body that was parsed already. The same event can come again: deduplicate on `id`.
 *
 * @example
 * const event = verifyWebhook({ secrets, headers: request.headers, body })
 * if (event.type === 'ping') console.log(event.endpoint_id)
 */
export function verifyWebhook({
  secrets,
  headers,
  body,
  toleranceSeconds = TOLERANCE_SECONDS,
}: VerifyWebhookParameters): CausewayEvent {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(
      'body: expected it as it came, text or bytes, because the signature is over those; got a parsed one. Read it before any body parser',
    )
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const [id = '', time = '', signatures = ''] = HEADERS.map((name) => headerOf(headers, name))
  const keys = [secrets].flat()
  if (keys.length === 0) throw new TypeError('secrets: expected at least one')
  requireRecent(time, toleranceSeconds)
  const given = signatures.split(' ')
  const expected = keys.flatMap((secret) => signatureBy(secret, { id, time, text }))
  const isSigned = expected.some((one) => given.some((signature) => isSame(one, signature)))
  if (!isSigned) throw new WebhookVerificationError('no signature fits one of the secrets')
  return JSON.parse(text) as CausewayEvent
}

/** None by a secret that is none: the others still count. */
function signatureBy(
  secret: string,
  { id, time, text }: { id: string; time: string; text: string },
): string[] {
  try {
    // A list in a variable is often written with spaces.
    return [new Webhook(secret.trim()).sign(id, dateOf(time), text)]
  } catch {
    return []
  }
}

function requireRecent(time: string, toleranceSeconds: number): void {
  const seconds = Math.abs(Date.now() - dateOf(time).getTime()) / 1_000
  // Text that is no time is no number, which is within nothing.
  if (seconds <= toleranceSeconds) return
  throw new WebhookVerificationError(`its time is more than ${toleranceSeconds} s from the clock`)
}

function dateOf(time: string): Date {
  return new Date(/^\d+$/.test(time) ? Number(time) * 1_000 : Number.NaN)
}

/** Takes as long wherever two signatures differ. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let index = 0; index < left.length; index++)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  return difference === 0
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
