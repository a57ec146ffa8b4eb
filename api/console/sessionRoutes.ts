import type { FastifyReply, FastifyRequest } from 'fastify'
import { chargeAttempt, forgiveAttempt } from '../../domain/access/signInAttempts.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { bodyOf, newPasswordParam, passOn, signInRefused, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes, ConsoleServices } from './consoleRoutes.ts'
import type { ConsoleAuth } from './createConsoleAuth.ts'
import { describeSession } from './describeSession.ts'
import { authHeaders, type ConsoleSession, sessionOf } from './sessionOf.ts'

/** The session of a request. Throws `SIGN_IN_REFUSED` without one. */
async function requireSession(
  { console }: ConsoleServices,
  request: FastifyRequest,
): Promise<ConsoleSession> {
  const session = await sessionOf(console, request)
  if (!session) throw signInRefused()
  return session
}

/** Counts a proof of a signed-in member as an attempt on the account: a stolen session must not guess for ever. */
async function prove<Result>(
  { service }: ConsoleServices,
  request: FastifyRequest,
  { session, run }: { session: ConsoleSession; run: () => Promise<Result> },
): Promise<Result> {
  const { clientAddress: address } = requestContextOf(request)
  const attempt = { account: session.userId, address }
  await chargeAttempt(service, attempt)
  const result = await run()
  await forgiveAttempt(service, attempt)
  return result
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * Sends the library a request of the signed-in member that has a password or a code, and returns the library's answer. Counts as an
 * attempt on the account. Throws `SIGN_IN_REFUSED` or `SIGN_IN_LOCKED`.
 */
export async function askAsMember(
  services: ConsoleServices,
  { request, reply }: Exchange,
  ask: (api: ConsoleAuth['api'], headers: Headers) => Promise<Response>,
): Promise<Record<string, unknown>> {
  const session = await requireSession(services, request)
  const { api } = services.console.auth
  const run = async () => passOn(await ask(api, authHeaders(request)), reply)
  return prove(services, request, { session, run })
}

/** Routes of the session: its member, a fresh proof, the account's sessions and their end. */
export const SESSION_ROUTES: ConsoleRoutes = {
  // Extends the session, so a page that stays open asks now and then.
  'GET /session': async ({ console, service }, request, reply) => {
    if (request.headers.cookie) {
      const headers = authHeaders(request)
      await passOn(await console.auth.api.getSession({ headers, asResponse: true }), reply)
    }
    return describeSession(service.sql, console, await sessionOf(console, request))
  },

  'POST /reauthenticate': async (services, request) => {
    const { password, code } = bodyOf(request, {
      password: textParam.optional(),
      code: textParam.optional(),
    })
    const session = await requireSession(services, request)
    const { api } = services.console.auth
    const headers = authHeaders(request)
    const response = await prove(services, request, {
      session,
      run: async () => {
        const answer =
          password === undefined
            ? await api.verifyTOTP({ body: { code: code ?? '' }, headers, asResponse: true })
            : await api.verifyPassword({ body: { password }, headers, asResponse: true })
        if (!answer.ok) throw signInRefused()
        return answer
      },
    })
    await response.body?.cancel()
    const { sql } = services.service
    await sql`
      update app.console_session set authenticated_at = now() where id = ${session.sessionId}`
    return {}
  },

  // Ends all other sessions: whoever had the password may have one.
  'POST /password': async (services, request, reply) => {
    const { currentPassword, newPassword } = bodyOf(request, {
      currentPassword: textParam,
      newPassword: newPasswordParam,
    })
    const body = { currentPassword, newPassword, revokeOtherSessions: true }
    await askAsMember(services, { request, reply }, (api, headers) =>
      api.changePassword({ body, headers, asResponse: true }),
    )
    return {}
  },

  'GET /sessions': async (services, request) => {
    const { userId, sessionId } = await requireSession(services, request)
    const sessions = await services.service.sql`
      select id, user_agent as "userAgent", created_at as "createdAt", updated_at as "usedAt",
        expires_at as "expiresAt", id = ${sessionId} as "isThis"
      from app.console_session where user_id = ${userId} and expires_at > now()
      order by created_at desc limit 100`
    return { sessions }
  },

  'POST /sessions/revoke': async (services, request) => {
    const { sessionId } = bodyOf(request, { sessionId: textParam })
    const { userId } = await requireSession(services, request)
    await services.service.sql`
      delete from app.console_session where id = ${sessionId} and user_id = ${userId}`
    return {}
  },
}
