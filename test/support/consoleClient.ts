export const CONSOLE_ORIGIN = 'http://console.test'

type Sent = { body?: object; headers?: Record<string, string>; method?: string }
type Details = { reason?: string }[]
type Received = {
  status: number
  location: string | null
  body: Record<string, unknown> & {
    error?: { message: string; details: Details }
    recoveryCodes?: string[]
  }
}

/** Sets up a second factor of the signed-in person. It is not on before a code confirms it. */
export async function setUpSecondFactor(client: ConsoleClient, password: string) {
  const { body } = await client.console('/second-factor', { body: { password } })
  const secret = new URL(String(body.totpUri)).searchParams.get('secret') ?? ''
  return { secret, recoveryCodes: body.recoveryCodes ?? [] }
}

/** A browser with the console's page open: it keeps cookies, and sends the page's `Origin`. */
export function consoleClient(url: string) {
  const cookies = new Map<string, string>()

  async function send(path: string, { body, headers, method }: Sent = {}): Promise<Received> {
    const response = await fetch(`${url}${path}`, {
      method: method ?? (body ? 'POST' : 'GET'),
      redirect: 'manual',
      headers: {
        ...(cookies.size > 0 && {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(body && { 'content-type': 'application/json', origin: CONSOLE_ORIGIN }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '' || /max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
      lastSetCookie = cookie
    }
    const text = await response.text()
    const location = response.headers.get('location')
    return { status: response.status, location, body: text ? JSON.parse(text) : {} }
  }

  let lastSetCookie = ''
  return {
    cookies,
    send,
    setCookie: () => lastSetCookie,
    /** A request below `/console/api`. */
    console: (path: string, sent?: Sent) => send(`/console/api${path}`, sent),
    /** A GraphQL operation for an organization. */
    graphql(query: string, organizationId: string, headers: Record<string, string> = {}) {
      return send('/graphql', {
        body: { query },
        headers: { 'x-causeway-organization': organizationId, ...headers },
      })
    },
  }
}

export type ConsoleClient = ReturnType<typeof consoleClient>
