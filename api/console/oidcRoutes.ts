import { deleteExpired } from '../../domain/access/signInAttempts.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { bodyOf, passOn } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { OIDC_PROVIDER, SIGN_IN_PATH } from './oidcNames.ts'
import { authHeaders } from './sessionOf.ts'

const CONSOLE_PATH = '/console'
const CALLBACK_PATH = '/console/api/auth/callback/oidc'

/** Signing in at the provider of `CONSOLE_OIDC_ISSUER`: the answer's `url` leads there, and the provider back. */
export const OIDC_ROUTES: ConsoleRoutes = {
  'POST /sign-in/oidc': async ({ console, service }, request, reply) => {
    bodyOf(request, {})
    // Each sign-in leaves a state, and nobody has to come back with it.
    await deleteExpired(service.sql)
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
      new Request(`${console.origin}${CALLBACK_PATH}${queryOf(request.url)}`, {
        headers: authHeaders(request),
      }),
    )
    for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
    if (response.status >= 500) throw new Error(`Better Auth answered ${response.status}`)
    if (await needsCode(response)) return reply.redirect(`${SIGN_IN_PATH}?needsCode=true`, 302)
    const malformed = `${SIGN_IN_PATH}?error=invalid_callback_request`
    return reply.redirect(response.headers.get('location') ?? malformed, 302)
  },
}

/** Whether the library waits for a code. Its answer leads on to the console all the same. */
async function needsCode(response: Response): Promise<boolean> {
  const text = await response.text()
  const answer = text.startsWith('{') ? (JSON.parse(text) as { twoFactorRedirect?: true }) : {}
  return answer.twoFactorRedirect === true
}

/** The query of a request's target. The rest is the client's too: a target can name another host, and a user. */
function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start < 0 ? '' : target.slice(start)
}
