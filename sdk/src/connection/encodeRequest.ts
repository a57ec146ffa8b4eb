import { isAddress } from 'viem'
import { CausewayError } from '../error/causewayError.ts'
import type { Operation } from './operation.ts'

export type EncodedRequest = { url: string; body: string | null }

/** The URL and the body of a request. Throws `INVALID_INPUT` for an address with a wrong checksum, and for an id that leads to another path. */
export function encodeRequest(
  base: string,
  { method, path, addresses = '' }: Operation,
  params: Record<string, unknown>,
): EncodedRequest {
  const left = new Map(Object.entries(params).filter(([, value]) => value !== undefined))
  for (const name of addresses.split(' ')) checkAddress(name, left.get(name))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    left.delete(name)
    const text = String(plain(value))
    // A URL takes `..` away, also where it is encoded, and then leads to another path.
    if (/^\.{0,2}$/.test(text)) throw invalidInput(name, 'expected an id')
    return encodeURIComponent(text)
  })
  const entries = [...left].map(([name, value]) => [name, plain(value)] as const)
  if (method !== 'GET' && method !== 'DELETE')
    return { url: base + filled, body: JSON.stringify(Object.fromEntries(entries)) }
  // React Native has no whole `URLSearchParams`.
  const query = entries.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { url: `${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`, body: null }
}

function checkAddress(field: string, value: unknown) {
  if (value === undefined || isAddress(String(value))) return
  throw invalidInput(field, 'expected an address with its EIP-55 checksum, or in lower case')
}

function invalidInput(field: string, expected: string): CausewayError {
  return new CausewayError({
    reason: 'INVALID_INPUT',
    metadata: { field },
    message: `${field}: ${expected}`,
  })
}

/** Amounts are decimal text, times are Unix seconds, several values are separated by commas. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Date) return Math.floor(value.getTime() / 1_000)
  return value
}
