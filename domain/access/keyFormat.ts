import { randomBytes } from 'node:crypto'
import { ServiceError } from '../error/serviceError.ts'

const PREFIX = 'causeway'
const PUBLIC_ID = '[0-9a-f]{16}'
const WHOLE_PUBLIC_ID = new RegExp(`^${PUBLIC_ID}$`)
const FORMAT = new RegExp(`^${PREFIX}_(${PUBLIC_ID})_([0-9a-f]{64})$`)
const WITHIN = new RegExp(`${PREFIX}_${PUBLIC_ID}_[0-9a-f]{64}`)

/** The two parts of a key, in hex: its public id, and 256 secret bits. */
export type KeyParts = { publicId: string; secret: string }

/** New random parts. */
export function randomKeyParts(): KeyParts {
  return { publicId: randomBytes(8).toString('hex'), secret: randomBytes(32).toString('hex') }
}

/** `causeway_<publicId>_<secret>` */
export function formatKey({ publicId, secret }: KeyParts): string {
  return `${PREFIX}_${publicId}_${secret}`
}

/** Whether a text has the form of a public id: another one is the id of no key. */
export function isPublicId(text: string): boolean {
  return WHOLE_PUBLIC_ID.test(text)
}

/** Whether a text begins like a key. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith(`${PREFIX}_`)
}

/** Whether a text has a key within. */
export function containsKey(text: string): boolean {
  return WITHIN.test(text)
}

/** The parts of a key from a header. Throws `UNAUTHENTICATED`. */
export function parseKey(text: string): KeyParts {
  const [, publicId, secret] = FORMAT.exec(text) ?? []
  if (publicId === undefined || secret === undefined)
    throw new ServiceError(
      'UNAUTHENTICATED',
      `The x-api-key header is malformed: expected ${PREFIX}_<public id>_<secret>`,
    )
  return { publicId, secret }
}
