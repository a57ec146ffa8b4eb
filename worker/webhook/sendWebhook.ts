import type { LookupAddress } from 'node:dns'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { signedHeaders } from '../../domain/webhook/signature.ts'
import {
  parseTarget,
  resolveTarget,
  type TargetRules,
  WebhookTargetError,
} from '../../domain/webhook/webhookTarget.ts'

export type Webhook = { url: string; eventId: string; body: string; secrets: readonly string[] }

/** The result of an attempt; `status` is null without an answer. */
export type SendResult = {
  outcome: 'delivered' | 'failed' | 'gone'
  status: number | null
  /** For people; null if it was delivered. */
  error: string | null
  retryAfterSeconds: number | null
}

export type SendRules = TargetRules & { timeoutMs: number }

const GONE = 410
/** The body of an answer is not used; after so many bytes it is not awaited either. */
const MOST_BODY_BYTES = 64 * 1024

/**
 * Sends one event to one endpoint, signed, and waits for the whole answer. Redirects are not followed.
 * Connects only to the addresses that were checked. Never throws for what the endpoint does.
 */
export async function sendWebhook(webhook: Webhook, rules: SendRules): Promise<SendResult> {
  const signal = AbortSignal.timeout(rules.timeoutMs)
  try {
    // The timeout also covers DNS and connections that never answer.
    const response = await Promise.race([exchange(webhook, rules, signal), aborted(signal)])
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

async function exchange(webhook: Webhook, rules: SendRules, signal: AbortSignal) {
  const url = parseTarget(webhook.url, rules)
  const addresses = await resolveTarget(url, rules)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = open(url, { addresses, webhook, signal })
  request.on('error', reject)
  // 101: without this listener Node closes the connection and emits no event.
  request.on('upgrade', (response: IncomingMessage, socket: Socket) => {
    socket.destroy()
    resolve(response)
  })
  request.on('response', (response) => {
    let bytes = 0
    response.on('error', reject)
    response.on('end', () => resolve(response))
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MOST_BODY_BYTES) return
      resolve(response)
      request.destroy()
    })
  })
  request.end(webhook.body)
  return promise
}

type OpenOptions = { addresses: LookupAddress[]; webhook: Webhook; signal: AbortSignal }

function open(url: URL, { addresses, webhook, signal }: OpenOptions): ClientRequest {
  const { eventId: id, body, secrets } = webhook
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
  const timestamp = Math.floor(Date.now() / 1_000)
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
    },
  })
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
