/** So many bytes of an answer's body are kept. */
const KEPT_BYTES = 1_024
/** No secret is longer: a signing secret, or the value of a header of the endpoint. */
const SECRET_BYTES = 1_000

/** The first bytes of an answer that `responseExcerpt` needs: a secret that begins among the kept ones is whole. */
export const EXCERPT_SOURCE_BYTES = KEPT_BYTES + SECRET_BYTES

export type ResponseExcerpt = {
  text: string
  /** Whether the body is longer. */
  isTruncated: boolean
}

/**
 * The beginning of an answer's body as UTF-8 text that Postgres stores and people read: other bytes and control
 * characters become U+FFFD. An answer may echo secrets: they become asterisks.
 */
export function responseExcerpt(
  body: Uint8Array,
  { secrets, isWhole }: { secrets: readonly string[]; isWhole: boolean },
): ResponseExcerpt {
  // One character per byte, so that masks keep all places.
  const bytes = secrets.reduce((text, secret) => {
    const key = secret.replace(/^whsec_/, '')
    return text.replaceAll(key, '*'.repeat(key.length))
  }, Buffer.from(body).toString('latin1'))
  const kept = Buffer.from(bytes.slice(0, KEPT_BYTES), 'latin1')
  const isTruncated = !isWhole || bytes.length > KEPT_BYTES
  // With `stream`, a character that the end cuts is left out.
  const text = new TextDecoder().decode(kept, { stream: isTruncated })
  return { text: text.replaceAll(UNPRINTABLE, '\u{fffd}'), isTruncated }
}

const UNPRINTABLE = /[^\P{Cc}\t\n\r]/gu
