import { bodyOf, newPasswordParam, signInRefused, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { describeSession } from './describeSession.ts'
import { askAsMember, prove, proveByCode, requireSession } from './proofs.ts'
import { authHeaders, extendSession, sessionOf } from './sessionOf.ts'

/** Routes of the session: its member, a fresh proof, the account's sessions and their end. */
export const SESSION_ROUTES: ConsoleRoutes = {
  // Extends the session, so a page that stays open asks now and then.
  'GET /session': async ({ console, service }, request, reply) => {
    if (request.headers.cookie) await extendSession(console, request, reply)
    return describeSession(service.sql, console, await sessionOf(console, request))
  },

  'POST /reauthenticate': async (services, request) => {
    const { password, code } = bodyOf(request, {
      password: textParam.optional(),
      code: textParam.optional(),
    })
    const { sessionId, userId } = await requireSession(services, request)
    const { api } = services.console.auth
    const { sql } = services.service
    const headers = authHeaders(request)
    if (password === undefined)
      await proveByCode(services, request, {
        userId,
        code: code ?? '',
        async run() {
          // A right code of a factor that is set up but not on would turn it on.
          const [isOn] = await sql`
            select 1 from app.console_user where id = ${userId} and two_factor_enabled`
          if (!isOn) throw signInRefused()
          await requireRight(
            await api.verifyTOTP({ body: { code: code ?? '' }, headers, asResponse: true }),
          )
        },
      })
    else
      await prove(services, request, {
        account: userId,
        run: async () =>
          requireRight(await api.verifyPassword({ body: { password }, headers, asResponse: true })),
      })
    await sql`
      update app.console_session set authenticated_at = now() where id = ${sessionId}`
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

/** Throws `SIGN_IN_REFUSED` if the library refused a proof. */
async function requireRight(response: Response): Promise<void> {
  await response.body?.cancel()
  if (!response.ok) throw signInRefused()
}
