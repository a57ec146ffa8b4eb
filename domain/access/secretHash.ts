import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { derivedKey } from './derivedKey.ts'
import type { KeyParts } from './keyFormat.ts'

/** The derived key of each service secret; a process has one. From bytes, Node would make it anew for each hash. */
const hashKeys = new WeakMap<Uint8Array, KeyObject>()

/** The 32 stored bytes of a key: useless without the service's secret, and in another row. */
export function secretHash({ publicId, secret }: KeyParts, appSecret: Uint8Array): Uint8Array {
  const hashKey = hashKeys.get(appSecret) ?? createSecretKey(derivedKey(appSecret, 'api-key'))
  hashKeys.set(appSecret, hashKey)
  return createHmac('sha256', hashKey).update(`${publicId}:${secret}`).digest()
}
