import { createHmac } from 'node:crypto'
import { derivedKey } from './derivedKey.ts'
import type { KeyParts } from './keyFormat.ts'

/** The derived key of each service secret; a process has one. */
const hashKeys = new WeakMap<Uint8Array, Uint8Array>()

/** The 32 stored bytes of a key: useless without the service's secret, and in another row. */
export function secretHash({ publicId, secret }: KeyParts, appSecret: Uint8Array): Uint8Array {
  const hashKey = hashKeys.get(appSecret) ?? derivedKey(appSecret, 'api-key')
  hashKeys.set(appSecret, hashKey)
  return createHmac('sha256', hashKey).update(`${publicId}:${secret}`).digest()
}
