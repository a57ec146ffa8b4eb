import { createHmac } from 'node:crypto'
import { derivedKey } from './derivedKey.ts'
import type { KeyParts } from './keyFormat.ts'

/** The 32 bytes that are stored of a key; worthless without the service's secret, and in another row. */
export function secretHash({ publicId, secret }: KeyParts, appSecret: Uint8Array): Uint8Array {
  return createHmac('sha256', derivedKey(appSecret, 'api-key'))
    .update(`${publicId}:${secret}`)
    .digest()
}
