import { EnvironmentError } from './environmentError.ts'

const OIDC = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET']

/** Whether only programs on the same machine reach a host. */
export function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host)
}

/** Throws `EnvironmentError` for a half-named provider, and for a sign-in without a password that others could reach. */
export async function checkConsole(source: NodeJS.ProcessEnv): Promise<void> {
  const { CONSOLE_ORIGIN: origin, API_HOST: host = '127.0.0.1' } = source
  const problems: string[] = []
  const given = OIDC.filter((name) => source[name])
  if (given.length > 0)
    for (const name of ['CONSOLE_ORIGIN', ...OIDC])
      if (!source[name]) problems.push(`${name}: is not set, but ${given[0]} is. Set all, or none.`)
  if (source.CONSOLE_LOCAL_SIGN_IN === 'true') {
    const isOwn = origin && URL.canParse(origin) && isLoopback(new URL(origin).hostname)
    if (!isOwn || !isLoopback(host))
      problems.push(
        'CONSOLE_LOCAL_SIGN_IN: everybody who reaches the console would be an operator. Unset it: npm start sets it where API_HOST and CONSOLE_ORIGIN are this machine.',
      )
  }
  if (problems.length > 0) throw new EnvironmentError(problems)
}
