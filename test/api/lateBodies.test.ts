import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, revokeKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { CONSOLE_ORIGIN } from '../support/consoleClient.ts'
import { signedInMember, withConsole } from '../support/signedInMember.ts'

/** Requests whose body comes seconds after their headers: they act by what their caller may when it has come. */

let api: TestApi
let organizationId: string
beforeAll(async () => {
  api = await startTestApi({ console: withConsole })
  organizationId = (await createOrganization(api.administrator, 'Acme')).id
})
afterAll(() => api?.stop())

type Sent = { path: string; body: string }
type Caller = { headers: Record<string, string>; end: () => Promise<unknown> }

const REST = {
  path: '/v1/access/apiKeys',
  body: JSON.stringify({ name: 'late', permissions: [] }),
}
const GRAPHQL = {
  path: '/graphql',
  body: JSON.stringify({
    query: 'mutation { createApiKey(name: "late", permissions: []) { secret } }',
  }),
}

/** The answer to a request, of which `between` runs before its body is sent. */
async function answerTo(
  { path, body }: Sent,
  { headers }: Caller,
  between: () => Promise<unknown>,
) {
  const socket = connect(api.port, '127.0.0.1')
  const all = {
    host: 'a',
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await between()
  socket.write(body)
  return text(socket)
}

const lateKeys = async () =>
  (await api.context.sql`select 1 from app.api_key where name = 'late'`).length

async function keyCaller(): Promise<Caller> {
  const created = { organizationId, permissions: ['keys'] as const }
  const { key, publicId } = await createKey(api.administrator, created)
  return { headers: { 'x-api-key': key }, end: () => revokeKey(api.administrator, publicId) }
}

/** A member, who ends by a statement. */
async function memberCaller(end: (sql: Sql) => Promise<unknown>): Promise<Caller> {
  const client = await signedInMember(api, { organizationId, role: 'owner' })
  return {
    headers: {
      'x-causeway-organization': organizationId,
      origin: CONSOLE_ORIGIN,
      cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    end: () => end(api.context.sql),
  }
}

const endSessions = (sql: Sql) => sql`delete from app.console_session`
const removeMembers = (sql: Sql) => sql`delete from app.organization_member`
const demoteMembers = (sql: Sql) => sql`update app.organization_member set role = 'viewer'`

/** Keys are known for some seconds, members are not. */
const CALLERS: [string, number, number, () => Promise<Caller>][] = [
  ['key that is revoked', 401, 5_000, keyCaller],
  ['session that ends', 401, 1_200, () => memberCaller(endSessions)],
  ['member that is removed', 404, 1_200, () => memberCaller(removeMembers)],
]

test.each(CALLERS)('error: a %s before the body comes', async (_, status, waitMs, newCaller) => {
  const caller = await newCaller()
  const before = await lateKeys()
  expect(await answerTo(REST, caller, () => sleep(1_200))).toMatch(/^HTTP\/1.1 200/)
  expect(await lateKeys()).toBe(before + 1)
  // After both have begun.
  const ended = sleep(500)
    .then(caller.end)
    .then(() => sleep(waitMs))
  const answers = await Promise.all(
    [REST, GRAPHQL].map((sent) => answerTo(sent, caller, () => ended)),
  )
  for (const answer of answers) expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
  expect(await lateKeys()).toBe(before + 1)
})

test('error: a member that loses the role is not shown a kept secret again', async () => {
  const { headers, end } = await memberCaller(demoteMembers)
  const keyed = { headers: { ...headers, 'idempotency-key': 'once' }, end }
  expect(await answerTo(REST, keyed, async () => {})).toContain('causeway_')
  const late = await answerTo(REST, keyed, async () => {
    await sleep(500)
    await end()
    await sleep(1_200)
  })
  expect(late).toMatch(/^HTTP\/1.1 403/)
  expect(late).not.toContain('causeway_')
})
