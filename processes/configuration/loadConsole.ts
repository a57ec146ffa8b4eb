import type { Console } from '../../api/console/createConsole.ts'
import type { Doubt } from '../../domain/health/doubt.ts'
import type { loadApiConfiguration } from './serviceConfiguration.ts'

/** The console of `CONSOLE_ORIGIN`; null without it. Its library takes half a second to load. */
export async function loadConsole(
  { environment, databaseUrl }: Awaited<ReturnType<typeof loadApiConfiguration>>,
  doubts: readonly Doubt[],
): Promise<Console | null> {
  const { CONSOLE_ORIGIN: origin, CONSOLE_OIDC_ISSUER: issuer } = environment
  if (!origin) return null
  const { createConsole } = await import('../../api/console/createConsole.ts')
  return createConsole({
    databaseUrl,
    appSecret: Buffer.from(environment.APP_SECRET, 'hex'),
    origin,
    oidc: issuer
      ? {
          issuer,
          clientId: environment.CONSOLE_OIDC_CLIENT_ID ?? '',
          clientSecret: environment.CONSOLE_OIDC_CLIENT_SECRET ?? '',
        }
      : null,
    hasLocalSignIn: environment.CONSOLE_LOCAL_SIGN_IN === 'true',
    doubts,
  })
}
