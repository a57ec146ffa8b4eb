import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function randomSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export type SignedMessage = {
  /** The event's id, the same at every attempt. */
  id: string
  /** The time of this attempt in Unix seconds. */
  timestamp: number
  /** The exact bytes that are sent. */
  body: string
}

/** The headers of Standard Webhooks: a signature by each secret, the newest first. */
export function signedHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${mac}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
