import { APIError } from 'better-auth/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../../domain/access/memberCaller.ts'
import { signInRefused } from './consoleRequest.ts'
import type { Console } from './createConsole.ts'

/** A session ends this long after its sign-in, even if it is used. */
const MOST_AGE_MS = 7 * 24 * 3_600_000

export type ConsoleSession = SignedIn & { sessionId: string; token: string; expiresAt: Date }

/** The headers of a request for Better Auth: it reads cookies, and the browser's name for the list of sessions. */
export function authHeaders({ headers }: Pick<FastifyRequest, 'headers'>): Headers {
  const { cookie, 'user-agent': userAgent } = headers
  return new Headers({
    ...(cookie && { cookie }),
    ...(userAgent && { 'user-agent': userAgent.slice(0, 300) }),
  })
}

/** Better Auth wraps the error of a statement in an error of its own. Its errors below 500 refuse the session. */
function throwCause(error: unknown): never {
  if (!(error instanceof APIError)) throw error
  throw error.statusCode < 500 ? signInRefused() : (error.cause ?? error)
}

/** Extends the session of a request's cookie, and sets its cookies anew. */
export async function extendSession(
  { auth }: Pick<Console, 'auth'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const asked = auth.api.getSession({ headers: authHeaders(request), returnHeaders: true })
  const { headers } = await asked.catch(throwCause)
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
}

/** The session of a request's cookie, read from the database each time; null without a valid one. */
export async function sessionOf(
  { auth }: Pick<Console, 'auth'>,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<ConsoleSession | null> {
  if (!request.headers.cookie) return null
  const found = await auth.api
    .getSession({
      headers: authHeaders(request),
      query: { disableCookieCache: true, disableRefresh: true },
    })
    .catch(throwCause)
  if (!found) return null
  const { id, token, userId, expiresAt, createdAt, authenticatedAt } = found.session
  if (Date.now() - createdAt.getTime() > MOST_AGE_MS) return null
  return { sessionId: id, token, userId, expiresAt, authenticatedAt: authenticatedAt ?? createdAt }
}
