import { createHmac, createSecretKey } from 'node:crypto'
import { oncePer } from '../cache/oncePer.ts'
import { derivedKey } from '../secret/derivedKey.ts'
import type { KeyParts } from './keyFormat.ts'

/** The derived key of each service secret; a process has one. From bytes, Node would make it anew for each hash. */
const hashKeyOf = oncePer((appSecret: Uint8Array) =>
  createSecretKey(derivedKey(appSecret, 'api-key')),
)

/** The 32 stored bytes of a key: useless without the service's secret, and in another row. */
export function secretHash({ publicId, secret }: KeyParts, appSecret: Uint8Array): Uint8Array {
  return createHmac('sha256', hashKeyOf(appSecret)).update(`${publicId}:${secret}`).digest()
}
