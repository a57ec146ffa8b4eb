import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { containsKey } from '../../domain/access/keyFormat.ts'

const SANE = /^[\w.:-]{1,128}$/

/** The caller's `x-request-id` if it is valid in headers and logs and has no key within, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) && !containsKey(given) ? given : randomUUID()
}
