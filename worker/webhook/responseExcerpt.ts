/** So many bytes of an answer's body are kept. */
const KEPT_BYTES = 1_024
/** No secret is longer, written in JSON: a signing secret, or the value of a header of the endpoint. */
const SECRET_BYTES = 2_000

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
  const bytes = spellingsOf(secrets).reduce(
    (text, secret) => text.replaceAll(secret, '*'.repeat(secret.length)),
    Buffer.from(body).toString('latin1'),
  )
  const kept = Buffer.from(bytes.slice(0, KEPT_BYTES), 'latin1')
  const isTruncated = !isWhole || bytes.length > KEPT_BYTES
  // With `stream`, a character that the end cuts is left out.
  const text = new TextDecoder().decode(kept, { stream: isTruncated })
  return { text: text.replaceAll(UNPRINTABLE, '\u{fffd}'), isTruncated }
}

/** As themselves and as writers of JSON escape them, the longest first: one can be the beginning of another. */
function spellingsOf(secrets: readonly string[]): string[] {
  const all = secrets.flatMap((secret) => {
    const key = secret.replace(/^whsec_/, '')
    const escaped = JSON.stringify(key).slice(1, -1)
    return [key, escaped, escaped.replaceAll('/', '\\/')]
  })
  return [...new Set(all)].toSorted((one, other) => other.length - one.length)
}

const UNPRINTABLE = /[^\P{Cc}\t\n\r]/gu
