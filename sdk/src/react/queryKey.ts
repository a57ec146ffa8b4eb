import type { QueryKey } from '@tanstack/react-query'
import type { Connection } from '../connection/connection.ts'

const ADDRESS = /^0x[0-9a-f]{40}$/i

/**
 * The key of a read: `['causeway', url, name, params]`. Without `params` it is the beginning of the keys of all
 * reads of this name. Equal requests have equal keys, and a key is plain JSON.
 */
export function queryKey({ url }: Connection, name: string, params?: object | null): QueryKey {
  const start = ['causeway', url, name]
  return params === undefined ? start : [...start, plain(params)]
}

/** Amounts and times as they are sent, and addresses without their checksum. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return ADDRESS.test(value) ? value.toLowerCase() : value
  if (value instanceof Date) return Math.floor(value.getTime() / 1_000)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}
