import { ServiceError } from '../../domain/error/serviceError.ts'
import { bodyOf, passOn } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { OIDC_PROVIDER, SIGN_IN_PATH } from './oidcNames.ts'
import { authHeaders } from './sessionOf.ts'

const CONSOLE_PATH = '/console'

/** Signing in at the provider of `CONSOLE_OIDC_ISSUER`: the answer's `url` leads there, and the provider back. */
export const OIDC_ROUTES: ConsoleRoutes = {
  'POST /sign-in/oidc': async ({ console }, request, reply) => {
    bodyOf(request, {})
    const response = await console.auth.api.signInSocial({
      body: {
        provider: OIDC_PROVIDER,
        callbackURL: CONSOLE_PATH,
        errorCallbackURL: SIGN_IN_PATH,
        disableRedirect: true,
      },
      headers: authHeaders(request),
      asResponse: true,
    })
    // The library knows no provider whose discovery document it could not read; it tries again each time.
    if (response.status === 404)
      throw new ServiceError(
        'SIGN_IN_PROVIDER_UNAVAILABLE',
        "Your organization's sign-in does not answer. Try again, or sign in by password.",
      )
    const { url } = await passOn(response, reply)
    return { url }
  },

  'GET /auth/callback/oidc': async ({ console }, request, reply) => {
    const response = await console.auth.handler(
      new Request(new URL(request.url, console.origin), { headers: authHeaders(request) }),
    )
    for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
    return reply.redirect(response.headers.get('location') ?? CONSOLE_PATH, 302)
  },
}
