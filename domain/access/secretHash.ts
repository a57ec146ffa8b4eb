import { createHmac } from 'node:crypto'
import { derivedKey } from '../secret/derivedKey.ts'
import type { KeyParts } from './keyFormat.ts'

/** The 32 stored bytes of a key: useless without the service's secret, and in another row. */
export function secretHash({ publicId, secret }: KeyParts, appSecret: Uint8Array): Uint8Array {
  return createHmac('sha256', derivedKey(appSecret, 'api-key'))
    .update(`${publicId}:${secret}`)
    .digest()
}
