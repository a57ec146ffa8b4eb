import { bodyOf, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { askAsMember } from './sessionRoutes.ts'

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

  'POST /second-factor/confirm': async (services, request, reply) => {
    const body = bodyOf(request, { code: textParam })
    await askAsMember(services, { request, reply }, (api, headers) =>
      api.verifyTOTP({ body, headers, asResponse: true }),
    )
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
