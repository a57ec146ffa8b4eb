import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { invalidFields } from '../error/serviceError.ts'
import { derivedKey } from '../secret/derivedKey.ts'

/** The position of the last row in the order of its list. */
export type PageCursor = (string | number)[]

export type PageTokenContent = {
  /** Endpoint, filter, order and every other argument except the page size, as one canonical string. */
  binding: string
  cursor: PageCursor
}

const TAG_BYTES = 16
const cursorSchema = z.array(z.union([z.string(), z.number()])).min(1)

/** An opaque token that only this service accepts, and only for the same binding. */
export function encodePageToken(content: PageTokenContent, appSecret: Uint8Array): string {
  const payload = Buffer.from(JSON.stringify(content.cursor))
  const tag = tagOf(payload, content.binding, appSecret)
  return Buffer.concat([tag, payload]).toString('base64url')
}

/** The cursor of a token made for this binding. Throws `INVALID_PAGE_TOKEN`. */
export function decodePageToken(token: string, binding: string, appSecret: Uint8Array): PageCursor {
  const bytes = Buffer.from(token, 'base64url')
  // Buffer skips characters that are not base64url, so without this check many texts would be one token.
  const isCanonical = bytes.toString('base64url') === token
  const payload = bytes.subarray(TAG_BYTES)
  if (!isCanonical || payload.length === 0) throw invalidPageToken()
  if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(payload, binding, appSecret)))
    throw invalidPageToken()
  return cursorSchema.parse(JSON.parse(payload.toString()))
}

function tagOf(payload: Uint8Array, binding: string, appSecret: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(binding))
  return createHmac('sha256', derivedKey(appSecret, 'page-token'))
    .update(length)
    .update(binding)
    .update(payload)
    .digest()
    .subarray(0, TAG_BYTES)
}

function invalidPageToken() {
  const description =
    'expected the nextPageToken of the page before, with the same filter and other parameters'
  return invalidFields([{ field: 'pageToken', description }], 'INVALID_PAGE_TOKEN')
}
