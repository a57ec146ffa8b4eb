import type { FastifyRequest } from 'fastify'
import { looksLikeKey } from '../../domain/access/keyFormat.ts'
import { invalidFields } from '../../domain/error/serviceError.ts'

const KEY_NAMES = new Set(['key', 'apikey', 'xapikey', 'accesskey', 'secretkey'])

function isKeyName(name: string): boolean {
  return KEY_NAMES.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
}

/** Throws `KEY_IN_QUERY`: URLs end up in logs, so a key in a URL is refused. */
export function refuseKeyInQuery({ query }: FastifyRequest): void {
  const names = Object.entries(query ?? {}).flatMap(([name, value]) =>
    isKeyName(name) || [value].flat().some(looksLikeKey) ? [name] : [],
  )
  if (names.length === 0) return
  throw invalidFields(
    names.map((field) => ({
      field,
      description:
        'send the API key in the x-api-key header, and replace this one: URLs are logged',
    })),
    'KEY_IN_QUERY',
  )
}
