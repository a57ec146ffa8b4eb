import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { oncePer } from '../cache/oncePer.ts'

export type DerivedKeyLabel = 'page-token' | 'api-key' | 'console' | 'console-local'

/** The keys of each service secret; a process has one secret. A key takes 20 µs to make, a hash with it 3 µs. */
const keysOf = oncePer((_: Uint8Array) => new Map<DerivedKeyLabel, KeyObject>())

/** 32 bytes for one use only, from the service's secret (HKDF-SHA256, RFC 5869). */
export function derivedKey(appSecret: Uint8Array, label: DerivedKeyLabel): KeyObject {
  const keys = keysOf(appSecret)
  const known = keys.get(label)
  if (known) return known
  const bytes = hkdfSync('sha256', appSecret, new Uint8Array(), `causeway/${label}`, 32)
  const made = createSecretKey(new Uint8Array(bytes))
  keys.set(label, made)
  return made
}
