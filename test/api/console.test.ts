import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createConsole } from '../../api/console/createConsole.ts'
import { invite } from '../../domain/access/invitations.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import type { Role } from '../../domain/access/role.ts'
import { findApiDoubts } from '../../processes/configuration/doubts.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { CONSOLE_ORIGIN, type ConsoleClient, consoleClient } from '../support/consoleClient.ts'
import {
  consoleBrowser,
  emailOf,
  joinConsole,
  PASSWORD,
  reasonOf,
} from '../support/consoleMembers.ts'
import { withConsole } from '../support/signedInMember.ts'

let api: TestApi
let acme: string
let other: string
beforeAll(async () => {
  api = await startTestApi({
    console: withConsole,
    trustedProxies: ['127.0.0.1'],
  })
  acme = (await createOrganization(api.administrator, 'Acme')).id
  other = (await createOrganization(api.administrator, 'Other')).id
})
afterAll(() => api?.stop())

const browser = (address?: string) => consoleBrowser(api.url, address)

/** A new member of Acme, signed in. */
const member = (name: string, role: Role | null, isOperator = false) =>
  joinConsole(api, { name, organizationId: acme, role, isOperator })

const signIn = (client: ConsoleClient, name: string, password = PASSWORD) =>
  client.console('/sign-in', { body: { email: emailOf(name), password } })

describe('sign-in', () => {
  test('default: an invitation, a session, its end', async () => {
    const client = await member('ada', 'owner')
    expect(client.setCookie()).toMatch(/HttpOnly/i)
    expect(client.setCookie()).toMatch(/SameSite=Lax/i)
    const { body } = await client.console('/session')
    expect(body).toMatchObject({
      signIn: { password: true, oidc: false, local: false },
      member: {
        email: emailOf('ada'),
        isOperator: false,
        hasSecondFactor: false,
        organizations: [{ id: acme, name: 'Acme', role: 'owner' }],
      },
    })
    expect(JSON.stringify(body)).not.toContain('token')
    const copied = browser()
    for (const [name, value] of client.cookies) copied.cookies.set(name, value)
    expect((await copied.console('/sessions')).status).toBe(200)
    await client.console('/sign-out', { body: {} })
    expect(client.cookies.size).toBe(0)
    expect(reasonOf(await copied.console('/sessions'))).toEqual([401, 'SIGN_IN_REFUSED'])
    expect((await signIn(client, 'ada')).status).toBe(200)
  })

  test('error: an invitation that was used, is unknown, or has expired', async () => {
    const params = {
      email: emailOf('late'),
      membership: { organizationId: acme, role: 'viewer' },
    } as const
    const { token, id } = await invite(api.administrator, params)
    const accept = (text: string) =>
      browser().console('/invitations/accept', {
        body: { token: text, name: 'Late', password: PASSWORD },
      })
    expect(reasonOf(await accept('unknown'))).toEqual([404, 'INVITATION_NOT_FOUND'])
    await api.context.sql`update app.console_invitation set expires_at = now() where id = ${id}`
    expect(reasonOf(await accept(token))).toEqual([404, 'INVITATION_NOT_FOUND'])
    const again = await invite(api.administrator, params)
    expect((await accept(again.token)).status).toBe(200)
    expect(reasonOf(await accept(again.token))).toEqual([404, 'INVITATION_NOT_FOUND'])
    // The link of another invitation does not open the account.
    const membership = { organizationId: other, role: 'viewer' } as const
    const third = await invite(api.administrator, { ...params, membership })
    expect(reasonOf(await accept(third.token))).toEqual([401, 'SIGN_IN_REFUSED'])
  })

  test('error: two invitations of one address at once: the second makes no account', async () => {
    const email = emailOf('twice')
    const { token } = await invite(api.administrator, {
      email,
      membership: { organizationId: acme, role: 'viewer' },
    })
    const { sql } = api.context
    const body = { token, name: 'Twice', password: PASSWORD }
    let second: ReturnType<ConsoleClient['send']> | undefined
    await sql.begin(async (first) => {
      await first`
        insert into app.console_user (id, email, name, email_verified)
        values ('first', ${email}, 'First', true)`
      second = browser().console('/invitations/accept', { body })
      await expect
        .poll(async () => {
          const waiting = await sql`
            select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`
          return waiting.length
        })
        .toBe(1)
    })
    if (!second) throw new Error('Invariant(test): nothing was sent')
    expect(reasonOf(await second)).toEqual([401, 'SIGN_IN_REFUSED'])
    const [open] = await sql`
      select accepted_at from app.console_invitation where email = ${email}`
    expect(open?.accepted_at).toBeNull()
  })

  test('error: a wrong password and an unknown account are one answer', async () => {
    await member('bob', 'viewer')
    const client = browser()
    const wrong = await signIn(client, 'bob', 'wrong password')
    const unknown = await signIn(client, 'nobody')
    expect(reasonOf(wrong)).toEqual([401, 'SIGN_IN_REFUSED'])
    expect(wrong.body.error?.details).toEqual(unknown.body.error?.details)
    expect(wrong.body.error?.message).toEqual(unknown.body.error?.message)
  })

  test('error: the sixth wrong password locks the account, at any address, also for the right one', async () => {
    await member('carol', 'viewer')
    const tries = Array.from({ length: 5 }, () => signIn(browser(), 'carol', 'wrong password'))
    for (const answer of await Promise.all(tries)) expect(answer.status).toBe(401)
    expect(reasonOf(await signIn(browser(), 'carol'))).toEqual([429, 'SIGN_IN_LOCKED'])
    await api.context.sql`update app.console_attempt set ends_at = now() - interval '1 second'`
    expect((await signIn(browser(), 'carol')).status).toBe(200)
  })

  test('error: an address with too many wrong passwords', async () => {
    const client = browser()
    await api.context.sql`update app.console_attempt set attempts = 29`
    await signIn(client, 'x0')
    await api.context.sql`update app.console_attempt set attempts = 30 where name like 'address:%'`
    expect(reasonOf(await signIn(client, 'x1'))).toEqual([429, 'SIGN_IN_LOCKED'])
    await api.context.sql`delete from app.console_attempt`
  })

  test('error: an expired session, a changed cookie, a session older than a week', async () => {
    const client = await member('dan', 'viewer')
    const [[name = '', value = ''] = []] = [...client.cookies]
    const query = () => client.graphql('{ webhookEndpoints { nextPageToken } }', acme)
    expect((await query()).body).toMatchObject({ data: { webhookEndpoints: {} } })
    client.cookies.set(name, `${value.slice(0, 5)}x${value.slice(6)}`)
    expect((await query()).status).toBe(401)
    client.cookies.set(name, value)
    const { sql } = api.context
    await sql`update app.console_session set created_at = now() - interval '8 days'`
    expect((await query()).status).toBe(401)
    await sql`update app.console_session set created_at = now(), expires_at = now() - interval '1 second'`
    expect((await query()).status).toBe(401)
  })

  test('default: a new password ends all other sessions', async () => {
    const client = await member('finn', 'viewer')
    const second = browser()
    await signIn(second, 'finn')
    const newPassword = 'a longer password'
    const refused = await client.console('/password', {
      body: { currentPassword: 'wrong', newPassword },
    })
    expect(refused.status).toBe(401)
    const changed = await client.console('/password', {
      body: { currentPassword: PASSWORD, newPassword },
    })
    expect(changed.status).toBe(200)
    expect((await client.console('/sessions')).status).toBe(200)
    expect((await second.console('/sessions')).status).toBe(401)
    expect((await signIn(second, 'finn')).status).toBe(401)
  })

  test('error: without a local world there is no sign-in by one request', async () => {
    expect(reasonOf(await browser().console('/sign-in/local', { body: {} }))).toEqual([
      404,
      'PATH_NOT_FOUND',
    ])
  })
})

test('default: only an operator learns what is doubtful in the configuration', async () => {
  const doubts = findApiDoubts({ RATE_LIMITS: 'off' })
  expect(doubts).toHaveLength(1)
  const doubtful = await startTestApi({
    console: (services) =>
      createConsole({
        ...services,
        origin: CONSOLE_ORIGIN,
        oidc: null,
        hasLocalSignIn: false,
        doubts,
      }),
  })
  onTestFinished(() => doubtful.stop())
  const organizationId = (await createOrganization(doubtful.administrator, 'Doubtful')).id
  for (const isOperator of [true, false]) {
    const options = {
      name: `doubt-${isOperator}`,
      organizationId,
      role: 'owner',
      isOperator,
    } as const
    const client = await joinConsole(doubtful, options)
    const { body } = await client.console('/session')
    expect(body).toMatchObject({ member: { isOperator, doubts: isOperator ? doubts : [] } })
  }
})

test('default: on the local world one request signs in as an operator and owner', async () => {
  const local = await startTestApi({
    console: (services) =>
      createConsole({ ...services, origin: CONSOLE_ORIGIN, oidc: null, hasLocalSignIn: true }),
  })
  onTestFinished(() => local.stop())
  for (const _ of [1, 2]) {
    const client = consoleClient(local.url)
    expect((await client.console('/sign-in/local', { body: {} })).status).toBe(200)
    expect((await client.console('/session')).body).toMatchObject({
      signIn: { local: true },
      member: {
        isOperator: true,
        organizations: expect.arrayContaining([
          expect.objectContaining({ name: 'Local', role: 'owner' }),
        ]),
      },
    })
  }
  const forged = await consoleClient(local.url).console('/sign-in/local', {
    body: {},
    headers: { origin: 'https://evil.example' },
  })
  expect(reasonOf(forged)).toEqual([403, 'FORGED_REQUEST'])
  // Whoever set the variable wrongly sees both origins.
  expect(forged.body.error?.message).toMatch(
    /pages of http:\/\/\S+ \(CONSOLE_ORIGIN\)\. This one came from https:\/\/evil\.example\.$/,
  )

  const body = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  const ask = (method: string, headers = {}, chainId: number | string = 1) =>
    consoleClient(local.url).console(`/local-nodes/${chainId}`, {
      body: { ...body, method },
      headers,
    })
  expect(reasonOf(await ask('eth_blockNumber', { origin: 'https://evil.example' }))).toEqual([
    403,
    'FORGED_REQUEST',
  ])
  for (const method of ['anvil_setBalance', 'evm_mine', 'debug_traceCall', 'eth_'])
    expect(reasonOf(await ask(method))).toEqual([400, 'INVALID_FIELD'])
  expect(reasonOf(await ask('eth_blockNumber', {}, 'x'))).toEqual([400, 'INVALID_FIELD'])
  // No node answers in this test.
  expect(reasonOf(await ask('eth_blockNumber'))).toEqual([503, 'RPC_UNAVAILABLE'])
  // Elsewhere there is no such path.
  const elsewhere = await browser().console('/local-nodes/1', { body })
  expect(reasonOf(elsewhere)).toEqual([404, 'PATH_NOT_FOUND'])
})

describe('a session as caller', () => {
  const create = `mutation { createWebhookEndpoint(url: "https://127.0.0.1:4443/", eventTypes: ["*"], filter: "") { secret } }`

  test('error: forged requests: another origin, none, another site, no header', async () => {
    const client = await member('gina', 'owner')
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      expect(reasonOf(await client.graphql(create, acme, headers))).toEqual([403, 'FORGED_REQUEST'])
      const out = await client.console('/sign-out', { body: {}, headers })
      expect(reasonOf(out)).toEqual([403, 'FORGED_REQUEST'])
    }
    const cookieAlone = await client.send('/v2/webhooks/endpoints')
    expect(reasonOf(cookieAlone)).toEqual([401, 'UNAUTHENTICATED'])
    const bare = await client.send('/v2/webhooks/endpoints', {
      method: 'DELETE',
      headers: { 'x-causeway-organization': acme },
    })
    expect(bare.status).not.toBe(200)
  })

  test("error: another organization's id is not found", async () => {
    const client = await member('hans', 'owner')
    for (const id of [other, 'x', '']) {
      const answer = await client.graphql('{ webhookEndpoints { nextPageToken } }', id)
      expect(reasonOf(answer)).toEqual([404, 'ORGANIZATION_NOT_FOUND'])
    }
    const operator = await member('olga', null, true)
    const answer = await operator.graphql('{ webhookEndpoints { nextPageToken } }', other)
    expect(answer.body).toMatchObject({ data: { webhookEndpoints: { nextPageToken: null } } })
  })

  test("error: a viewer's writes, over GraphQL and REST", async () => {
    const viewer = await member('ivy', 'viewer')
    const answer = await viewer.graphql(create, acme)
    expect(JSON.stringify(answer.body)).toContain('PERMISSION_DENIED')
    const rest = await viewer.send('/v2/webhooks/endpoints', {
      body: { url: 'https://127.0.0.1:4443/', eventTypes: ['*'] },
      headers: { 'x-causeway-organization': acme },
    })
    expect(reasonOf(rest)).toEqual([403, 'PERMISSION_DENIED'])
    const developer = await member('jack', 'developer')
    expect(JSON.stringify((await developer.graphql(create, acme)).body)).toContain('whsec_')
  })

  test('error: a secret without a fresh proof', async () => {
    const client = await member('kate', 'developer')
    await api.context
      .sql`update app.console_session set authenticated_at = now() - interval '11 minutes'`
    expect(JSON.stringify((await client.graphql(create, acme)).body)).toContain(
      'REAUTHENTICATION_NEEDED',
    )
    const wrong = await client.console('/reauthenticate', { body: { password: 'wrong password' } })
    expect(wrong.status).toBe(401)
    expect(JSON.stringify((await client.graphql(create, acme)).body)).toContain(
      'REAUTHENTICATION_NEEDED',
    )
    expect((await client.console('/reauthenticate', { body: { password: PASSWORD } })).status).toBe(
      200,
    )
    expect(JSON.stringify((await client.graphql(create, acme)).body)).toContain('whsec_')
  })
})
