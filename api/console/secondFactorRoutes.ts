import { bodyOf, passOn, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { authHeaders } from './sessionOf.ts'
import { prove, requireSession } from './sessionRoutes.ts'

/** Codes of an authenticator app (TOTP), and codes for the day on which it is lost. */
export const SECOND_FACTOR_ROUTES: ConsoleRoutes = {
  // On from the first right code, which `confirm` takes.
  'POST /second-factor': async (services, request, reply) => {
    const { password } = bodyOf(request, { password: textParam })
    const session = await requireSession(services, request)
    const headers = authHeaders(request)
    const { auth } = services.console
    const run = async () =>
      passOn(
        await auth.api.enableTwoFactor({ body: { password }, headers, asResponse: true }),
        reply,
      )
    const { totpURI, backupCodes } = await prove(services, request, { session, run })
    return { totpUri: totpURI, recoveryCodes: backupCodes }
  },

  'POST /second-factor/confirm': async (services, request, reply) => {
    const { code } = bodyOf(request, { code: textParam })
    const session = await requireSession(services, request)
    const headers = authHeaders(request)
    const { auth } = services.console
    const run = async () =>
      passOn(await auth.api.verifyTOTP({ body: { code }, headers, asResponse: true }), reply)
    await prove(services, request, { session, run })
    return {}
  },

  'POST /second-factor/disable': async (services, request, reply) => {
    const { password } = bodyOf(request, { password: textParam })
    const session = await requireSession(services, request)
    const headers = authHeaders(request)
    const { auth } = services.console
    const run = async () =>
      passOn(
        await auth.api.disableTwoFactor({ body: { password }, headers, asResponse: true }),
        reply,
      )
    await prove(services, request, { session, run })
    return {}
  },

  // The former codes end.
  'POST /second-factor/recovery-codes': async (services, request, reply) => {
    const { password } = bodyOf(request, { password: textParam })
    const session = await requireSession(services, request)
    const headers = authHeaders(request)
    const { auth } = services.console
    const run = async () =>
      passOn(
        await auth.api.generateBackupCodes({ body: { password }, headers, asResponse: true }),
        reply,
      )
    const { backupCodes } = await prove(services, request, { session, run })
    return { recoveryCodes: backupCodes }
  },
}
