import { isLoopback } from '../../processes/configuration/checkConsole.ts'
import { findServiceProblems } from '../../processes/configuration/serviceConfiguration.ts'
import { apiVariables, loadValid } from '../../processes/environment.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines, problemLine } from './line.ts'

const CHECK = 'variables'
const { ok, warning } = lines(CHECK)

/** Every wrong variable of the processes; then values that are allowed and unfit for production. */
export async function checkVariables({
  given,
  source,
  accounts,
  isLocal,
}: DoctorContext): Promise<Line[]> {
  const wrong = await findServiceProblems(given, accounts)
  const found = [
    ...wrong.map((problem) => problemLine(CHECK, problem)),
    ...(isLocal ? [] : doubtsOf(source)),
  ]
  return found.length > 0 ? found : ok('the variables of indexer, api and worker are right')
}

function doubtsOf(source: NodeJS.ProcessEnv): Line[] {
  const given = loadValid(apiVariables, source)
  const origin = given.CONSOLE_ORIGIN === undefined ? null : new URL(given.CONSOLE_ORIGIN)
  const isOpen = given.API_HOST !== undefined && !isLoopback(given.API_HOST)
  return [
    ...(given.WEBHOOK_ALLOW_PRIVATE === 'true'
      ? warning(
          'WEBHOOK_ALLOW_PRIVATE is true: webhooks reach your own network, over http too',
          'Unset it, unless all endpoints are your own.',
        )
      : []),
    ...(given.RATE_LIMITS === 'off'
      ? warning('RATE_LIMITS is off', 'Set it to on, unless a gateway limits each client.')
      : []),
    ...(origin?.protocol === 'http:' && !isLoopback(origin.hostname)
      ? warning(
          'CONSOLE_ORIGIN is http: passwords and sessions cross the network in clear text',
          'Put TLS before the api, and set the https origin.',
        )
      : []),
    ...(isOpen && !given.TRUST_PROXY
      ? warning(
          'TRUST_PROXY is not set: behind a proxy, all clients share the limits of its one address',
          'Set it to the addresses of your proxies, unless clients connect directly.',
        )
      : []),
    ...(isOpen && source.NODE_ENV !== 'production'
      ? warning(
          'NODE_ENV is not production: graphql runs extra checks on every value',
          'Set NODE_ENV=production for the api.',
        )
      : []),
  ]
}
