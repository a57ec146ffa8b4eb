import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invite } from '../../domain/access/invitations.ts'
import {
  changeMemberRole,
  removeMember,
  removeOperator,
} from '../../domain/access/manageMembers.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import type { Role } from '../../domain/access/role.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import type { ConsoleClient } from '../support/consoleClient.ts'
import {
  consoleBrowser,
  emailOf,
  joinConsole,
  PASSWORD,
  reasonOf,
} from '../support/consoleMembers.ts'
import { noteSecret } from '../support/handedOut.ts'
import { withConsole } from '../support/signedInMember.ts'

/** Invitations at their ends: who may not come back by one, who can sign in after one, what its link tells. */

let api: TestApi
let acme: string
let owner: ConsoleClient
beforeAll(async () => {
  api = await startTestApi({
    console: withConsole,
    trustedProxies: ['127.0.0.1'],
  })
  acme = (await createOrganization(api.administrator, 'Acme')).id
  owner = await member('owner', 'owner')
})
afterAll(() => api?.stop())

const member = (name: string, role: Role | null, isOperator = false) =>
  joinConsole(api, { name, organizationId: acme, role, isOperator })

async function placeOf(name: string) {
  const [row] = await api.context.sql<{ id: string }[]>`
    select id from app.console_user where email = ${emailOf(name)}`
  return { organizationId: acme, userId: row?.id ?? '' }
}

const ask = (client: ConsoleClient, email: string, role = 'OWNER') =>
  client.send('/v1/access/invitations', {
    body: { email, role },
    headers: { 'x-causeway-organization': acme },
  })

async function invited(client: ConsoleClient, name: string, role?: string) {
  const { status, body } = await ask(client, emailOf(name), role)
  expect(status).toBe(200)
  const { invitation, link } = body as { invitation: { id: string }; link: string }
  const token = link.split('#')[1] ?? ''
  noteSecret(token)
  return { id: invitation.id, token }
}

const accept = (token: string, name: string, client = consoleBrowser(api.url)) =>
  client.console('/invitations/accept', { body: { token, name, password: PASSWORD } })

/** The statements that wait for a lock. */
async function waiting(): Promise<number> {
  const found = await api.context.sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return found.length
}

const ended = [404, 'INVITATION_NOT_FOUND']

describe('a person who is removed or demoted', () => {
  test('error: comes back by no invitation that they made, or that was for them', async () => {
    const ada = await member('ada', 'owner')
    const own = await invited(ada, 'ada-again')
    const older = await invite(api.administrator, {
      email: emailOf('bea'),
      membership: { organizationId: acme, role: 'owner' },
    })
    const bea = await member('bea', 'viewer')
    const ofAnother = await invited(owner, 'cleo')
    await removeMember(api.administrator, await placeOf('ada'))
    await removeMember(api.administrator, await placeOf('bea'))
    expect(reasonOf(await accept(own.token, 'Ada'))).toEqual(ended)
    const back = await bea.console('/invitations/accept', { body: { token: older.token } })
    expect(reasonOf(back)).toEqual(ended)
    expect((await accept(ofAnother.token, 'Cleo')).status).toBe(200)
    const entries = await api.context.sql`
      select details from app.audit where action = 'member.remove' order by id`
    expect(entries.map(({ details }) => details)).toEqual([
      { role: 'owner', endedInvitations: [own.id] },
      { role: 'viewer', endedInvitations: [older.id] },
    ])
  })

  test('error: a demoted owner leaves no invitation; an operator may still make them', async () => {
    const dan = await member('dan', 'owner')
    const olga = await member('olga', 'owner', true)
    const [ofDan, ofOlga] = [await invited(dan, 'eva'), await invited(olga, 'finn')]
    for (const name of ['dan', 'olga'])
      await changeMemberRole(api.administrator, { ...(await placeOf(name)), role: 'developer' })
    expect(reasonOf(await accept(ofDan.token, 'Eva'))).toEqual(ended)
    expect((await accept(ofOlga.token, 'Finn')).status).toBe(200)
  })

  test('error: an invitation that is on its way when its maker is removed', async () => {
    const gus = await member('gus', 'owner')
    const place = await placeOf('gus')
    const { removal, invitation } = await api.context.sql.begin(async (holder) => {
      await holder`select 1 from app.organization where id = ${acme} for no key update`
      const first = removeMember(api.administrator, place)
      await expect.poll(waiting).toBe(1)
      const second = ask(gus, emailOf('gus-again'))
      await expect.poll(waiting).toBe(2)
      return { removal: first, invitation: second }
    })
    await removal
    expect(reasonOf(await invitation)).toEqual([403, 'PERMISSION_DENIED'])
  })

  test('error: an invitation that is on its way when its maker is no operator any more', async () => {
    const hana = await member('hana', null, true)
    const { userId } = await placeOf('hana')
    const { removal, invitation } = await api.context.sql.begin(async (holder) => {
      await holder`select 1 from app.console_user where id = ${userId} for no key update`
      const first = removeOperator(api.administrator, userId)
      await expect.poll(waiting).toBe(1)
      const second = ask(hana, emailOf('hana-again'))
      await expect.poll(waiting).toBe(2)
      return { removal: first, invitation: second }
    })
    await removal
    expect(reasonOf(await invitation)).toEqual([403, 'PERMISSION_DENIED'])
  })
})

test.each([
  'ada@intranet',
  'ädä@example.org',
  '"ada b"@example.org',
  'ada@[127.0.0.1]',
  'ada..b@example.org',
  `ada@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.org`,
])('error: %s could never sign in, and is not invited', async (email) => {
  const answer = await ask(owner, email)
  expect(reasonOf(answer)).toEqual([400, 'INVALID_FIELD'])
})

test('default: whoever can be invited can sign in: the longest address', async () => {
  const label = 'a'.repeat(60)
  const email = `ada+${label}@${[label, label, label].join('.')}.org`.toLowerCase()
  expect(email.length).toBeGreaterThan(200)
  const { token } = await invite(api.administrator, {
    email,
    membership: { organizationId: acme, role: 'viewer' },
  })
  expect((await accept(token, 'Ada')).status).toBe(200)
  const answer = await consoleBrowser(api.url).console('/sign-in', {
    body: { email, password: PASSWORD },
  })
  expect(answer.status).toBe(200)
})

test('error: a link does not tell its maker whether the address has an account', async () => {
  const other = (await createOrganization(api.administrator, 'Other')).id
  await joinConsole(api, { name: 'known', organizationId: other, role: 'viewer' })
  const links = [await invited(owner, 'known'), await invited(owner, 'unknown')]
  const browsers = [() => consoleBrowser(api.url), () => owner]
  const answers = []
  for (const { token } of links) {
    const shown = await consoleBrowser(api.url).console('/invitations/show', { body: { token } })
    answers.push([Object.keys(shown.body)])
    for (const browser of browsers)
      for (const body of [
        {},
        { name: 'A' },
        { password: PASSWORD },
        { name: 'A', password: 'a' },
      ]) {
        const answer = await browser().console('/invitations/accept', { body: { token, ...body } })
        answers.at(-1)?.push([...reasonOf(answer).map(String)])
      }
  }
  const [known, unknown] = answers
  expect(known).toEqual(unknown)
  expect(known?.slice(1).map(([status]) => Number(status) < 500)).not.toContain(false)
})
