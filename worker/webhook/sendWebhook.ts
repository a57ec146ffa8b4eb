import type { LookupAddress } from 'node:dns'
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { activeTraceParent, openPart, traced } from '../../domain/observation/tracing.ts'
import type { EndpointHeader } from '../../domain/webhook/endpointHeaders.ts'
import { signedHeaders } from '../../domain/webhook/signature.ts'
import {
  parseTarget,
  resolveTarget,
  type TargetRules,
  WebhookTargetError,
} from '../../domain/webhook/webhookTarget.ts'

import { EXCERPT_SOURCE_BYTES, type ResponseExcerpt, responseExcerpt } from './responseExcerpt.ts'

export type Webhook = {
  url: string
  eventId: string
  body: string
  secrets: readonly string[]
  /** The endpoint's own. Their values are secrets, too. */
  headers: readonly EndpointHeader[]
}

/** The HTTP exchange of an attempt, as far as it came. */
type Exchange = {
  durationMs: number
  /** Null if the attempt ended before it. */
  request: { url: string; headers: OutgoingHttpHeaders } | null
  /** Null if no answer began. */
  response: { status: number; body: ResponseExcerpt } | null
}

/** The result of an attempt; `status` is null without a complete answer. */
export type SendResult = {
  outcome: 'delivered' | 'failed' | 'gone'
  status: number | null
  exchange: Exchange
  /** For people; null if it was delivered. */
  error: string | null
  retryAfterSeconds: number | null
}

export type SendRules = TargetRules & { timeoutMs: number }

const GONE = 410
/** After so many bytes of an answer the rest is not awaited. */
const MOST_BODY_BYTES = 64 * 1024

/**
 * Sends one event to one endpoint, signed, and waits for the whole answer. Redirects are not followed.
 * Connects only to the addresses that were checked. Never throws for what the endpoint does.
 */
export async function sendWebhook(webhook: Webhook, rules: SendRules): Promise<SendResult> {
  const startedAt = performance.now()
  const seen: Seen = { request: null, status: null, chunks: [], bytes: 0, isWhole: false }
  const span = openPart(() => ({ name: 'webhook POST', kind: 'client' }))
  const judged = await traced(
    span,
    () => judge(webhook, rules, seen),
    ({ outcome, status }) => {
      if (status !== null) span?.set({ 'http.response.status_code': status })
      return outcome === 'delivered' ? undefined : outcome
    },
  )
  const durationMs = Math.round(performance.now() - startedAt)
  const { request, status } = seen
  const response = status === null ? null : { status, body: excerptOf(seen, hiddenOf(webhook)) }
  return { ...judged, exchange: { durationMs, request, response } }
}

/** The exchange while it runs. */
type Seen = {
  request: Exchange['request']
  status: number | null
  /** The beginning of the answer's body. */
  chunks: Buffer[]
  bytes: number
  isWhole: boolean
}

function excerptOf({ chunks, bytes, isWhole }: Seen, secrets: readonly string[]): ResponseExcerpt {
  const source = Buffer.concat(chunks).subarray(0, EXCERPT_SOURCE_BYTES)
  return responseExcerpt(source, { secrets, isWhole: isWhole && bytes === source.length })
}

async function judge(
  webhook: Webhook,
  rules: SendRules,
  seen: Seen,
): Promise<Omit<SendResult, 'exchange'>> {
  const signal = AbortSignal.timeout(rules.timeoutMs)
  try {
    // The timeout also covers DNS and connections that never answer.
    const response = await Promise.race([
      exchange(webhook, { rules, signal, seen }),
      aborted(signal),
    ])
    const status = response.statusCode ?? 0
    const retryAfterSeconds = secondsOf(response.headers['retry-after'])
    if (status >= 200 && status < 300)
      return { outcome: 'delivered', status, error: null, retryAfterSeconds: null }
    const outcome = status === GONE ? 'gone' : 'failed'
    const isRedirect = status >= 300 && status < 400
    const error = `answered ${status}${isRedirect ? ': redirects are not followed' : ''}`
    return { outcome, status, error, retryAfterSeconds }
  } catch (error) {
    const words = signal.aborted ? `no complete answer in ${rules.timeoutMs} ms` : describe(error)
    return { outcome: 'failed', status: null, error: words, retryAfterSeconds: null }
  }
}

type ExchangeOptions = { rules: SendRules; signal: AbortSignal; seen: Seen }

async function exchange(webhook: Webhook, { rules, signal, seen }: ExchangeOptions) {
  const url = parseTarget(webhook.url, rules)
  const addresses = await resolveTarget(url, rules)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = open(url, { addresses, webhook, signal })
  seen.request = { url: url.href, headers: shownHeaders(request, webhook) }
  request.on('error', reject)
  // 101: without this listener Node closes the connection and emits no event.
  request.on('upgrade', (response: IncomingMessage, socket: Socket) => {
    seen.status = response.statusCode ?? 0
    socket.destroy()
    resolve(response)
  })
  request.on('response', (response) => {
    seen.status = response.statusCode ?? 0
    response.on('error', reject)
    response.on('end', () => {
      seen.isWhole = true
      resolve(response)
    })
    response.on('data', (chunk: Buffer) => {
      if (seen.bytes < EXCERPT_SOURCE_BYTES) seen.chunks.push(chunk)
      seen.bytes += chunk.length
      if (seen.bytes <= MOST_BODY_BYTES) return
      resolve(response)
      request.destroy()
    })
  })
  request.end(webhook.body)
  return promise
}

type OpenOptions = { addresses: LookupAddress[]; webhook: Webhook; signal: AbortSignal }

function open(url: URL, { addresses, webhook, signal }: OpenOptions): ClientRequest {
  const { eventId: id, body, secrets, headers } = webhook
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
  const timestamp = Math.floor(Date.now() / 1_000)
  const traceparent = activeTraceParent()
  return (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    // No keep-alive: a kept connection may lead to an earlier address of the name.
    agent: false,
    lookup,
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Causeway-Webhooks/2',
      ...signedHeaders({ id, timestamp, body }, secrets),
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      ...(traceparent === null ? {} : { traceparent }),
    },
  })
}

/** A shorter value would hide parts of any answer. */
const LEAST_HIDDEN = 8

function hiddenOf({ secrets, headers }: Webhook): string[] {
  // An answer may name the token of `Bearer <token>` alone.
  const values = headers.flatMap(({ value }) => [value, ...value.split(' ')])
  return [...secrets, ...values.filter((value) => value.length >= LEAST_HIDDEN)]
}

function shownHeaders(request: ClientRequest, { headers }: Webhook): OutgoingHttpHeaders {
  return {
    ...request.getHeaders(),
    ...Object.fromEntries(headers.map(({ name }) => [name, '***'])),
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Retry-After as seconds from now: a number, or a date. */
function secondsOf(header: string | undefined): number | null {
  if (header === undefined) return null
  const seconds = /^\d{1,9}$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1_000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null
}

/** The error's code if it has one: messages contain addresses. */
function describe(error: unknown): string {
  if (error instanceof WebhookTargetError) return `not sent: ${error.message}`
  const { code } = error as NodeJS.ErrnoException
  return code ? `no answer: ${code}` : 'no answer'
}
