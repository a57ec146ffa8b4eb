import { createHmac } from 'node:crypto'
import { derivedKey } from './derivedKey.ts'
import type { KeyParts } from './keyFormat.ts'

/** By the service's secret, which a process has one of. */
const hashKeys = new WeakMap<Uint8Array, Uint8Array>()

/** The 32 bytes that are stored of a key; worthless without the service's secret, and in another row. */
export function secretHash({ publicId, secret }: KeyParts, appSecret: Uint8Array): Uint8Array {
  const hashKey = hashKeys.get(appSecret) ?? derivedKey(appSecret, 'api-key')
  hashKeys.set(appSecret, hashKey)
  return createHmac('sha256', hashKey).update(`${publicId}:${secret}`).digest()
}
