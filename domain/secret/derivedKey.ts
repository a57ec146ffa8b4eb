import { hkdfSync } from 'node:crypto'

export type DerivedKeyLabel = 'page-token' | 'api-key' | 'console' | 'console-local'

/** 32 bytes for one use only, from the service's secret (HKDF-SHA256, RFC 5869). */
export function derivedKey(appSecret: Uint8Array, label: DerivedKeyLabel): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', appSecret, new Uint8Array(), `causeway/${label}`, 32))
}
