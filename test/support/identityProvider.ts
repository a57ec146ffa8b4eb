import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** An account at the provider. */
export type Identity = { sub: string; email: string; email_verified: boolean; name: string }

const CLIENT_ID = 'causeway-console'

/**
 * A real OpenID Connect provider on a local port, with one client. Its sign-in page is replaced: `who` is the person who
 * signs in next, and null refuses.
 */
export async function startIdentityProvider(redirectUri: string) {
  let who: Identity | null = null
  const identities = new Map<string, Identity>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Cast, because a server on a port has no path for an address.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = randomBytes(16).toString('hex')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    // The provider's notices about defaults would be output of the test.
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount(_, sub) {
      const identity = identities.get(sub)
      return identity && { accountId: sub, claims: () => identity }
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    if (who) identities.set(who.sub, who)
    const result = who ? { login: { accountId: who.sub } } : { error: 'access_denied' }
    void provider.interactionFinished(request, response, result)
  })

  return {
    options: { issuer, clientId: CLIENT_ID, clientSecret },
    /** Signs a person in at an address of the provider in a new browser; returns where it leads back to. */
    async signIn(address: string, identity: Identity | null): Promise<URL> {
      who = identity
      const cookies = new Map<string, string>()
      let url = new URL(address)
      while (url.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
        const to = response.headers.get('location')
        if (!to) throw new Error(`The provider answered ${response.status}`)
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        url = new URL(to, url)
      }
      return url
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
