import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { Console } from './createConsole.ts'

/**
 * Throws `FORGED_REQUEST` for a request that another site could have made a browser send: its `Origin` is another, or it
 * has none though it changes something.
 */
export function refuseForged(
  { method, headers }: FastifyRequest,
  { origin, hasLocalSignIn }: Pick<Console, 'origin' | 'hasLocalSignIn'>,
): void {
  const own = hasLocalSignIn ? loopbackNames(origin) : [origin]
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwn = headers.origin === undefined ? isRead : own.includes(headers.origin)
  const site = headers['sec-fetch-site']
  if (isOwn && (site === undefined || site === 'same-origin')) return
  const came = isOwn ? `from a page of another site (${site})` : cameFrom(headers.origin)
  throw new ServiceError(
    'FORGED_REQUEST',
    `Requests with a session must come from pages of ${origin} (CONSOLE_ORIGIN). This one came ${came}.`,
  )
}

function cameFrom(origin: string | undefined): string {
  return origin === undefined ? 'without an Origin' : `from ${origin.slice(0, 300)}`
}

/** The browser's origin is the host that the person typed. */
function loopbackNames(origin: string): string[] {
  const { port } = new URL(origin)
  const suffix = port ? `:${port}` : ''
  return [origin, `http://localhost${suffix}`, `http://127.0.0.1${suffix}`]
}
