import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createConsole } from '../../api/console/createConsole.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { CONSOLE_ORIGIN, type ConsoleClient, setUpSecondFactor } from '../support/consoleClient.ts'
import {
  consoleBrowser,
  emailOf,
  joinConsole,
  PASSWORD,
  reasonOf,
} from '../support/consoleMembers.ts'
import { type Identity, startIdentityProvider } from '../support/identityProvider.ts'
import { totp } from '../support/totp.ts'

const CALLBACK = '/console/api/auth/callback/oidc'

let provider: Awaited<ReturnType<typeof startIdentityProvider>>
let api: TestApi
let acme: string
beforeAll(async () => {
  provider = await startIdentityProvider(`${CONSOLE_ORIGIN}${CALLBACK}`)
  api = await startTestApi({
    console: (services) =>
      createConsole({
        ...services,
        origin: CONSOLE_ORIGIN,
        oidc: provider.options,
        hasLocalSignIn: false,
      }),
    trustedProxies: ['127.0.0.1'],
  })
  acme = (await createOrganization(api.administrator, 'Acme')).id
})
afterAll(async () => {
  await api?.stop()
  await provider?.stop()
})

const browser = () => consoleBrowser(api.url)

const identity = (name: string, given: Partial<Identity> = {}): Identity => ({
  sub: `subject-${name}`,
  email: emailOf(name),
  email_verified: true,
  name,
  ...given,
})

/** Invites a person, who joins with a password. */
const member = (name: string, role: 'owner' | 'developer' | 'viewer' = 'developer') =>
  joinConsole(api, { name, organizationId: acme, role })

/** The address of the provider to which the console's button leads. */
async function leave(client: ConsoleClient): Promise<URL> {
  const { status, body } = await client.console('/sign-in/oidc', { body: {} })
  expect(status).toBe(200)
  return new URL(String(body.url))
}

/** Opens the address to which the provider leads back; returns where the browser is in the end. */
async function comeBack(client: ConsoleClient, back: URL): Promise<string | null> {
  expect(`${back.origin}${back.pathname}`).toBe(`${CONSOLE_ORIGIN}${CALLBACK}`)
  const { status, location } = await client.send(`${back.pathname}${back.search}`)
  expect(status).toBe(302)
  return location
}

async function signIn(client: ConsoleClient, who: Identity | null): Promise<string | null> {
  return comeBack(client, await provider.signIn((await leave(client)).href, who))
}

/** Nobody is signed in, and the console's sign-in page shows a reason. */
async function expectRefused(client: ConsoleClient, location: string | null, reason: string) {
  const url = new URL(location ?? '', CONSOLE_ORIGIN)
  expect([url.origin, url.pathname]).toEqual([CONSOLE_ORIGIN, '/console/sign-in'])
  expect(url.searchParams.get('error')).toBe(reason)
  expect((await client.console('/session')).body.member).toBeNull()
}

/** Turns a member's second factor on. */
async function enrolled(client: ConsoleClient) {
  const { secret, recoveryCodes } = await setUpSecondFactor(client, PASSWORD)
  const code = totp(secret)
  expect((await client.console('/second-factor/confirm', { body: { code } })).status).toBe(200)
  const [recoveryCode] = recoveryCodes
  return { secret, recoveryCode }
}

/** A GET of a target as it stands, which `fetch` would not send. */
function sendTarget(path: string) {
  return new Promise<{ status: number | undefined; location: string | undefined }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(api.url)
      request({ hostname, port, path }, (response) => {
        response.resume()
        resolve({ status: response.statusCode, location: response.headers.location })
      })
        .on('error', reject)
        .end()
    },
  )
}

const credentialsOf = (name: string) => api.context.sql`
  select c.account_id from app.console_credential c join app.console_user u on u.id = c.user_id
  where u.email = ${emailOf(name)} and c.provider_id = 'oidc'`

describe('sign-in at the provider', () => {
  test('default: a person who was invited, twice, has the organization and the role', async () => {
    await member('ada', 'viewer')
    for (const _ of [1, 2]) {
      const client = browser()
      expect(await signIn(client, identity('ada'))).toBe('/console')
      expect((await client.console('/session')).body).toMatchObject({
        signIn: { password: true, oidc: true },
        member: {
          email: emailOf('ada'),
          isOperator: false,
          hasPassword: true,
          organizations: [{ id: acme, name: 'Acme', role: 'viewer' }],
        },
      })
      const read = await client.graphql('{ members { members { email role } } }', acme)
      expect(JSON.stringify(read.body)).toContain(emailOf('ada'))
    }
    expect(await credentialsOf('ada')).toEqual([{ account_id: 'subject-ada' }])
  })

  test('default: the provider knows a request by its state, nonce and PKCE challenge', async () => {
    const { searchParams } = await leave(browser())
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${CONSOLE_ORIGIN}${CALLBACK}`,
      state: expect.stringMatching(/.{32}/),
      nonce: expect.stringMatching(/.{32}/),
      code_challenge_method: 'S256',
    })
  })

  test('error: a person who was not invited has no account, and gets none', async () => {
    const client = browser()
    await expectRefused(client, await signIn(client, identity('stranger')), 'signup_disabled')
    const { sql } = api.context
    expect(await sql`select 1 from app.console_user where email = ${emailOf('stranger')}`).toEqual(
      [],
    )
  })

  test('error: an address that the provider has not verified opens no account', async () => {
    await member('bob', 'owner')
    const client = browser()
    const who = identity('bob', { sub: 'another', email_verified: false })
    await expectRefused(client, await signIn(client, who), 'account_not_linked')
    expect(await credentialsOf('bob')).toEqual([])
  })

  test('error: another subject with the address of an account that is bound', async () => {
    await member('gwen', 'owner')
    expect(await signIn(browser(), identity('gwen'))).toBe('/console')
    const client = browser()
    const who = identity('gwen', { sub: 'a successor' })
    await expectRefused(client, await signIn(client, who), 'unable_to_link_account')
    expect(await credentialsOf('gwen')).toEqual([{ account_id: 'subject-gwen' }])
  })

  test('error: an account with a second factor needs its code here too', async () => {
    const { secret, recoveryCode } = await enrolled(await member('hedy', 'owner'))
    const client = browser()
    // The first time, which binds the account, and the second.
    for (const proof of [{ code: totp(secret, 1) }, { recoveryCode }]) {
      expect(await signIn(client, identity('hedy'))).toBe('/console/sign-in?needsCode=true')
      expect((await client.console('/session')).body.member).toBeNull()
      const wrong = await client.console('/sign-in/second-factor', { body: { code: '000000' } })
      expect(reasonOf(wrong)).toEqual([401, 'SIGN_IN_REFUSED'])
      const right = await client.console('/sign-in/second-factor', { body: proof })
      expect(right.status).toBe(200)
      expect((await client.console('/session')).body.member).toMatchObject({
        email: emailOf('hedy'),
      })
    }
  })

  test('error: a target that names another host, a user, or nothing', async () => {
    for (const target of [
      `http://a@b${CALLBACK}?error=x`,
      `http://a:b@c.example${CALLBACK}?error=x&error=y`,
      `https://evil.example${CALLBACK}`,
      `${CALLBACK}?state=%00&code=%ff`,
      `${CALLBACK}?`,
    ]) {
      const { status, location } = await sendTarget(target)
      expect([target, status]).toEqual([target, 302])
      expect(location).toMatch(/^\/console\/sign-in\?error=/)
    }
  })

  test('behavior: states and sessions whose time is over are deleted', async () => {
    const { sql } = api.context
    await leave(browser())
    await member('ivan')
    await sql`update app.console_verification set expires_at = now() - interval '1 second'`
    await sql`update app.console_session set expires_at = now() - interval '1 second'`
    await leave(browser())
    expect(await sql`select from app.console_verification`).toHaveLength(1)
    expect(await sql`select from app.console_session`).toHaveLength(0)
  })

  test('error: a state that is wrong, missing, used, or of another browser', async () => {
    await member('carol')
    const client = browser()
    const back = await provider.signIn((await leave(client)).href, identity('carol'))
    const wrong = new URL(back)
    wrong.searchParams.set('state', 'x'.repeat(32))
    await expectRefused(client, await comeBack(client, wrong), 'state_mismatch')
    const missing = new URL(back)
    missing.searchParams.delete('state')
    await expectRefused(client, await comeBack(client, missing), 'state_not_found')
    // Somebody sends the link of their own sign-in: the victim must not work in their account.
    const other = browser()
    await expectRefused(other, await comeBack(other, back), 'state_mismatch')
    await leave(other)
    await expectRefused(other, await comeBack(other, back), 'state_mismatch')
    expect(await comeBack(client, back)).toBe('/console')
    const later = browser()
    for (const [name, value] of client.cookies) later.cookies.set(name, value)
    await later.console('/sign-out', { body: {} })
    await expectRefused(later, await comeBack(later, back), 'state_mismatch')
  })

  test('error: a token for another nonce, a code of another request', async () => {
    await member('dan')
    const client = browser()
    const away = await leave(client)
    away.searchParams.set('nonce', 'another')
    const back = await provider.signIn(away.href, identity('dan'))
    const location = await comeBack(client, back)
    await expectRefused(client, location, 'unable_to_get_user_info')
    const other = await provider.signIn((await leave(browser())).href, identity('dan'))
    const own = await provider.signIn((await leave(client)).href, identity('dan'))
    own.searchParams.set('code', other.searchParams.get('code') ?? '')
    await expectRefused(client, await comeBack(client, own), 'invalid_code')
  })

  test('error: an answer in the name of another issuer', async () => {
    await member('erin')
    const client = browser()
    const back = await provider.signIn((await leave(client)).href, identity('erin'))
    back.searchParams.set('iss', 'https://evil.example')
    await expectRefused(client, await comeBack(client, back), 'issuer_mismatch')
  })

  test('error: the person does not consent', async () => {
    const client = browser()
    await expectRefused(client, await signIn(client, null), 'access_denied')
  })

  test('error: a provider that does not answer', async () => {
    const lost = await startTestApi({
      console: (services) =>
        createConsole({
          ...services,
          origin: CONSOLE_ORIGIN,
          oidc: { ...provider.options, issuer: 'http://127.0.0.1:1' },
          hasLocalSignIn: false,
        }),
    })
    onTestFinished(() => lost.stop())
    const answer = await consoleBrowser(lost.url).console('/sign-in/oidc', { body: {} })
    expect(reasonOf(answer)).toEqual([503, 'SIGN_IN_PROVIDER_UNAVAILABLE'])
  })
})
