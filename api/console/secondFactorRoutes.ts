import { bodyOf, passOn, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { askAsMember, proveByCode, requireSession } from './proofs.ts'
import { authHeaders, sessionOf } from './sessionOf.ts'

/** Codes of an authenticator app (TOTP), and codes for the day on which it is lost. */
export const SECOND_FACTOR_ROUTES: ConsoleRoutes = {
  // On from the first right code, which `confirm` takes.
  'POST /second-factor': async (services, request, reply) => {
    const body = bodyOf(request, { password: textParam })
    const { totpURI, backupCodes } = await askAsMember(
      services,
      { request, reply },
      (api, headers) => api.enableTwoFactor({ body, headers, asResponse: true }),
    )
    return { totpUri: totpURI, recoveryCodes: backupCodes }
  },

  // Ends all other sessions: they were begun without a code.
  'POST /second-factor/confirm': async (services, request, reply) => {
    const body = bodyOf(request, { code: textParam })
    const { sessionId, userId } = await requireSession(services, request)
    const { console, service } = services
    const response = await proveByCode(services, request, {
      userId,
      code: body.code,
      async run() {
        const headers = authHeaders(request)
        const answer = await console.auth.api.verifyTOTP({ body, headers, asResponse: true })
        await passOn(answer, reply)
        return answer
      },
    })
    // The library replaces the session with another when the factor is turned on.
    const cookie = response.headers.getSetCookie().map((line) => line.split(';', 1)[0])
    const next = await sessionOf(console, { headers: { cookie: cookie.join('; ') } })
    await service.sql`
      delete from app.console_session
      where user_id = ${userId} and id <> ${next?.sessionId ?? sessionId}`
    return {}
  },

  'POST /second-factor/disable': async (services, request, reply) => {
    const body = bodyOf(request, { password: textParam })
    await askAsMember(services, { request, reply }, (api, headers) =>
      api.disableTwoFactor({ body, headers, asResponse: true }),
    )
    return {}
  },

  // The former codes end.
  'POST /second-factor/recovery-codes': async (services, request, reply) => {
    const body = bodyOf(request, { password: textParam })
    const { backupCodes } = await askAsMember(services, { request, reply }, (api, headers) =>
      api.generateBackupCodes({ body, headers, asResponse: true }),
    )
    return { recoveryCodes: backupCodes }
  },
}
