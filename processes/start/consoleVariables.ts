import { isLoopback } from '../configuration/checkConsole.ts'
import { apiUrlOf } from './apiUrlOf.ts'
import type { ProductOptions } from './productOptions.ts'

type Names =
  | 'API_HOST'
  | 'API_PORT'
  | 'CONSOLE_ORIGIN'
  | 'CONSOLE_OIDC_ISSUER'
  | 'CONSOLE_OIDC_CLIENT_ID'
  | 'CONSOLE_OIDC_CLIENT_SECRET'

/** A process at such a host listens at all addresses: none of them is the origin of its pages. */
const WILDCARDS = ['0.0.0.0', '::']

/** The api's variables of the console. With local nodes, on the own machine only, one request signs in. */
export function consoleVariables(
  environment: Pick<ProductOptions['environment'], Names>,
  hasLocalNodes: boolean,
): Record<string, string> {
  const { CONSOLE_ORIGIN, API_HOST, CONSOLE_OIDC_ISSUER: issuer, ...oidc } = environment
  const isLocal = hasLocalNodes && CONSOLE_ORIGIN === undefined && isLoopback(API_HOST)
  const own = WILDCARDS.includes(API_HOST) ? undefined : apiUrlOf(environment)
  const origin = CONSOLE_ORIGIN ?? own
  return {
    ...(origin ? { CONSOLE_ORIGIN: origin } : {}),
    CONSOLE_LOCAL_SIGN_IN: String(isLocal),
    ...(issuer ? { CONSOLE_OIDC_ISSUER: issuer } : {}),
    ...(oidc.CONSOLE_OIDC_CLIENT_ID ? { CONSOLE_OIDC_CLIENT_ID: oidc.CONSOLE_OIDC_CLIENT_ID } : {}),
    ...(oidc.CONSOLE_OIDC_CLIENT_SECRET
      ? { CONSOLE_OIDC_CLIENT_SECRET: oidc.CONSOLE_OIDC_CLIENT_SECRET }
      : {}),
  }
}
