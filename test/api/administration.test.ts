import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/rest/routes.ts'
import { invite } from '../../domain/access/invitations.ts'
import { removeMember } from '../../domain/access/manageMembers.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { permissionOf } from '../../domain/access/permissions.ts'
import type { Role } from '../../domain/access/role.ts'
import { rootField } from '../../schema/rootField.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { CONSOLE_ORIGIN, type ConsoleClient } from '../support/consoleClient.ts'
import {
  consoleBrowser,
  emailOf,
  joinConsole,
  PASSWORD,
  reasonOf,
} from '../support/consoleMembers.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { noteSecret } from '../support/handedOut.ts'
import { type Entry, only } from '../support/onlyMember.ts'
import { sampleVariables } from '../support/sampleVariables.ts'
import { withConsole } from '../support/signedInMember.ts'
import { testOperatorMatters } from './operatorMatters.ts'

/** Members, invitations, the audit log and the operator's matters, over the API, as members of the console. */

let folder: string
let api: TestApi
let acme: string
let other: string
let owner: ConsoleClient
let operator: ConsoleClient
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-administration-'))
  api = await startTestApi({
    rehearsalReport: join(folder, 'report.json'),
    console: withConsole,
    trustedProxies: ['127.0.0.1'],
  })
  acme = (await createOrganization(api.administrator, 'Acme')).id
  other = (await createOrganization(api.administrator, 'Other')).id
  owner = await member('owner', 'owner')
  operator = await member('operator', null, { isOperator: true })
})
afterAll(async () => {
  await api?.stop()
  await rm(folder, { recursive: true })
})

function member(name: string, role: Role | null, { isOperator = false, of = acme } = {}) {
  return joinConsole(api, { name, organizationId: of, role, isOperator })
}

type Sent = { method?: string; body?: object; of?: string }

/** A REST request of a member, whose answer is checked against docs/openapi.json. */
async function call(client: ConsoleClient, path: string, { method, body, of = acme }: Sent = {}) {
  const used = method ?? (body ? 'POST' : 'GET')
  const headers = { 'x-causeway-organization': of, origin: CONSOLE_ORIGIN }
  const answer = await client.send(path, { method: used, ...(body && { body }), headers })
  expect(undescribed(api.url + path, answer.status, answer.body, used.toLowerCase())).toEqual([])
  return answer
}

async function userIdOf(name: string): Promise<string> {
  const [row] = await api.context.sql<{ id: string }[]>`
    select id from app.console_user where email = ${emailOf(name)}`
  return row?.id ?? ''
}

/** The statements of this database that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const waiting = await api.context.sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.length
}

const MEMBERS = '/v1/access/members'
const INVITATIONS = '/v1/access/invitations'

async function invited(client: ConsoleClient, name: string, role = 'DEVELOPER') {
  const answer = await call(client, INVITATIONS, { body: { email: emailOf(name), role } })
  expect(answer.status).toBe(200)
  const { invitation, link } = answer.body as { invitation: { id: string }; link: string }
  const token = link.split('#')[1] ?? ''
  noteSecret(token)
  return { id: invitation.id, link, token }
}

const accept = (token: string, name: string) =>
  consoleBrowser(api.url).console('/invitations/accept', {
    body: { token, name, password: PASSWORD },
  })

describe('members', () => {
  test('default: a role counts at once, and the end of a membership', async () => {
    const dora = await member('dora', 'developer')
    const path = `${MEMBERS}/${await userIdOf('dora')}`
    const webhook = '/v2/webhooks/endpoints/none/ping'
    expect(reasonOf(await call(dora, webhook, { body: {} }))).toEqual([
      404,
      'WEBHOOK_ENDPOINT_NOT_FOUND',
    ])
    const changed = await call(owner, path, { method: 'PATCH', body: { role: 'VIEWER' } })
    expect(only(changed)).toMatchObject({ email: emailOf('dora'), name: 'dora', role: 'VIEWER' })
    expect(reasonOf(await call(dora, webhook, { body: {} }))).toEqual([403, 'PERMISSION_DENIED'])
    const listed = await call(dora, `${MEMBERS}?filter=${encodeURIComponent('role = VIEWER')}`)
    expect(only(listed)).toMatchObject([{ email: emailOf('dora') }])
    expect((await call(owner, path, { method: 'DELETE' })).status).toBe(200)
    expect(reasonOf(await call(dora, MEMBERS))).toEqual([404, 'ORGANIZATION_NOT_FOUND'])
    const log = only<Entry[]>(await call(owner, '/v1/access/auditLog?pageSize=2'))
    const actor = `member:${await userIdOf('owner')}`
    const subject = await userIdOf('dora')
    expect(log).toMatchObject([
      { action: 'member.remove', subject, actor, actorName: 'owner', details: { role: 'viewer' } },
      { action: 'member.change_role', subject, details: { from: 'developer', to: 'viewer' } },
    ])
  })

  test('error: the last owner is neither removed nor given another role', async () => {
    const { id } = await createOrganization(api.administrator, 'Pair')
    const [ann, bob] = [
      await member('ann', 'owner', { of: id }),
      await member('bob', 'owner', { of: id }),
    ]
    const userIds = [await userIdOf('ann'), await userIdOf('bob')]
    // Both at once: they wait for the members' rows together. One of them stays.
    const { removals } = await api.context.sql.begin(async (sql) => {
      await sql`select 1 from app.organization_member where organization_id = ${id} for update`
      const both = Promise.allSettled(
        userIds.map((userId) => removeMember(api.administrator, { organizationId: id, userId })),
      )
      await expect.poll(() => waitingForLocks()).toBe(2)
      return { removals: both }
    })
    const ended = (await removals).map(({ status }) => status)
    expect(ended.toSorted()).toEqual(['fulfilled', 'rejected'])
    const [left] = only<{ email: string; userId: string }[]>(
      await call(operator, MEMBERS, { of: id }),
    )
    const client = left?.email === emailOf('ann') ? ann : bob
    const path = `${MEMBERS}/${left?.userId}`
    expect(reasonOf(await call(client, path, { method: 'DELETE', of: id }))).toEqual([
      400,
      'LAST_OWNER',
    ])
    const demoted = await call(client, path, { method: 'PATCH', body: { role: 'VIEWER' }, of: id })
    expect(reasonOf(demoted)).toEqual([400, 'LAST_OWNER'])
    const same = await call(client, path, { method: 'PATCH', body: { role: 'OWNER' }, of: id })
    expect(same.status).toBe(200)
  })

  test('error: a role that is none', async () => {
    const path = `${MEMBERS}/${await userIdOf('owner')}`
    for (const role of ['owner', 'ADMIN', 1, null]) {
      const answer = await call(owner, path, { method: 'PATCH', body: { role } })
      expect(reasonOf(answer)).toEqual([400, 'INVALID_FIELD'])
    }
  })
})

describe('invitations', () => {
  test('default: the link is shown once and used once; a revoked one never', async () => {
    const { id, link, token } = await invited(owner, 'iris')
    expect(link).toBe(`${CONSOLE_ORIGIN}/console/invitation#${token}`)
    const revoked = await invited(owner, 'ivan', 'OWNER')
    const ended = await call(owner, `${INVITATIONS}/${revoked.id}`, { method: 'DELETE' })
    expect(only(ended)).toMatchObject({ status: 'REVOKED', revokedAt: expect.any(String) })
    expect(reasonOf(await accept(revoked.token, 'ivan'))).toEqual([404, 'INVITATION_NOT_FOUND'])
    expect((await accept(token, 'iris')).status).toBe(200)
    const listed = await call(owner, `${INVITATIONS}?pageSize=2`)
    expect(only(listed)).toMatchObject([
      { id: revoked.id, status: 'REVOKED', role: 'OWNER' },
      { id, status: 'ACCEPTED', role: 'DEVELOPER', email: emailOf('iris') },
    ])
    expect(JSON.stringify(listed.body)).not.toContain(token)
    for (const used of [id, revoked.id]) {
      const again = await call(owner, `${INVITATIONS}/${used}`, { method: 'DELETE' })
      expect(reasonOf(again)).toEqual([404, 'INVITATION_NOT_FOUND'])
    }
    const log = await call(owner, '/v1/access/auditLog?pageSize=4')
    expect(only<Entry[]>(log).map(({ action }) => action)).toEqual([
      'member.join',
      'member.revoke_invitation',
      'member.invite',
      'member.invite',
    ])
    expect(JSON.stringify(log.body)).not.toContain(token)
  })

  test('error: what is no address, and a member', async () => {
    for (const email of ['', 'ada', 'a b@example.org', 'a\0@example.org', emailOf('OWNER')]) {
      const answer = await call(owner, INVITATIONS, { body: { email, role: 'VIEWER' } })
      expect([email, ...reasonOf(answer)]).toEqual([email, 400, 'INVALID_FIELD'])
    }
  })

  test('error: without a fresh proof no link is shown', async () => {
    const { sql } = api.context
    const lena = await member('lena', 'owner')
    const body = { email: emailOf('mona'), role: 'VIEWER' }
    await sql`update app.console_session set authenticated_at = now() - interval '11 minutes'
      where user_id = ${await userIdOf('lena')}`
    expect(reasonOf(await call(lena, INVITATIONS, { body }))).toEqual([
      403,
      'REAUTHENTICATION_NEEDED',
    ])
    await lena.console('/reauthenticate', { body: { password: PASSWORD } })
    const answer = await call(lena, INVITATIONS, { body })
    noteSecret(String(answer.body.link).split('#')[1] ?? '')
    expect(answer.status).toBe(200)
  })
})

describe('who may', () => {
  const documentsOf = (permission: string) =>
    routes.filter(({ field }) => permissionOf(field) === permission)
  const ask = (client: ConsoleClient, document: string, of = acme) =>
    client.send('/graphql', {
      body: { query: document, variables: sampleVariables(document) },
      headers: { 'x-causeway-organization': of },
    })

  test.each(['viewer', 'developer'] as const)("error: a %s's writes of members", async (role) => {
    const client = await member(`no-${role}`, role)
    const mutations = documentsOf('members').filter(
      ({ field }) => rootField(field).operation === 'mutation',
    )
    expect(mutations).toHaveLength(4)
    for (const { document, method, path } of mutations) {
      const { body } = await ask(client, document)
      expect(JSON.stringify(body)).toContain('PERMISSION_DENIED')
      const rest = await call(client, path.replace(/\{\w+\}/, 'none'), {
        method,
        ...(method === 'DELETE' ? {} : { body: {} }),
      })
      expect([path, ...reasonOf(rest)]).toEqual([path, 403, 'PERMISSION_DENIED'])
    }
  })

  test.each(['viewer', 'developer', 'owner'] as const)(
    "error: a %s, each of the operator's fields",
    async (role) => {
      const client = await member(`other-${role}`, role, { of: other })
      const matters = documentsOf('admin')
      expect(matters).toHaveLength(12)
      for (const { document, method, path } of matters) {
        const { body } = await ask(client, document, other)
        expect(JSON.stringify(body)).toContain('"permission":"admin"')
        const rest = await call(client, path.replace(/\{\w+\}/, other), {
          method,
          ...(method === 'GET' ? {} : { body: {} }),
          of: other,
        })
        expect([path, ...reasonOf(rest)]).toEqual([path, 403, 'PERMISSION_DENIED'])
      }
    },
  )

  test("error: another organization's ids are not found", async () => {
    const stranger = await member('stranger', 'owner', { of: other })
    const { id, token } = await invite(api.administrator, {
      email: emailOf('guest'),
      membership: { organizationId: acme, role: 'viewer' },
    })
    noteSecret(token)
    const userId = await userIdOf('owner')
    const answers = [
      await call(stranger, `${MEMBERS}/${userId}`, { method: 'DELETE', of: other }),
      await call(stranger, `${MEMBERS}/${userId}`, {
        method: 'PATCH',
        body: { role: 'VIEWER' },
        of: other,
      }),
      await call(stranger, `${INVITATIONS}/${id}`, { method: 'DELETE', of: other }),
    ]
    expect(answers.map(reasonOf)).toEqual([
      [404, 'MEMBER_NOT_FOUND'],
      [404, 'MEMBER_NOT_FOUND'],
      [404, 'INVITATION_NOT_FOUND'],
    ])
    const paths = [MEMBERS, INVITATIONS, '/v1/access/auditLog']
    const lists = await Promise.all(paths.map((path) => call(stranger, path, { of: other })))
    const shown = JSON.stringify(lists.map(({ body }) => body))
    expect(shown).toContain(emailOf('stranger'))
    expect(shown).not.toContain(id)
    expect(shown).not.toContain(userId)
    expect(shown).not.toContain(acme)
    for (const path of paths)
      expect(reasonOf(await call(stranger, path))).toEqual([404, 'ORGANIZATION_NOT_FOUND'])
  })
})

testOperatorMatters(() => ({ operator, acme }), {
  call,
  member,
  userIdOf,
  reportFile: () => join(folder, 'report.json'),
})
