import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { forgetAnswers } from '../../domain/idempotency/answerOnce.ts'
import { resolveByDns } from '../../domain/webhook/resolveByDns.ts'
import { schema } from '../../schema/schema.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import {
  type ActingRequest,
  actingCalls,
  actingRoutes,
  clearOrganization,
  countEffects,
  overGraphql,
  overRest,
  send,
} from '../support/actingCalls.ts'
import { testAddressBook } from '../support/addressBook.ts'
import { type ApiProcess, startApiProcess, untilReady } from '../support/apiProcess.ts'
import { createTestKey, keyOf, testOrganization } from '../support/ask.ts'
import { CONSOLE_ORIGIN } from '../support/consoleClient.ts'
import { joinConsole } from '../support/consoleMembers.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { withConsole } from '../support/signedInMember.ts'
import { newOrganization } from '../support/smartDepositRegistrar.ts'
import { until } from '../support/until.ts'

let earn: EarnWorld
let calls: ReturnType<typeof actingCalls>
beforeAll(async () => {
  earn = await startEarnWorld([1], { console: withConsole, trustedProxies: ['127.0.0.1'] })
  calls = actingCalls(earn.api)
})
afterAll(() => earn?.stop())
afterEach(() => clearOrganization(earn.api))

const DOORS = { rest: overRest, graphql: overGraphql }
const HOOK: ActingRequest = {
  method: 'POST',
  path: '/v2/webhooks/endpoints',
  body: JSON.stringify({ url: 'http://127.0.0.1:9/hooks', eventTypes: ['ping'] }),
}
/** JSON that is read, and that JavaScript's stack is too small to write. */
const NESTED = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
const keyed = (key: string) => ({ 'idempotency-key': key })

/** Sends a request and ends the connection, at once or at the first bytes of the answer, of which it returns nothing. */
function sendAndCut(sent: ActingRequest, key: string, when: 'sent' | 'answered'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const client = request(earn.api.url + sent.path, {
    method: sent.method,
    agent: false,
    headers: {
      ...keyed(key),
      'x-api-key': keyOf(earn.api.url),
      ...(sent.body === null ? {} : { 'content-type': 'application/json' }),
    },
  })
  client.on('close', resolve).on('error', () => {})
  client.on('response', () => client.destroy())
  client.end(sent.body ?? undefined, () => when === 'sent' && client.destroy())
  return promise
}

/** Sends a request until its key is free, as a client does. */
async function sendUntilFree(sent: ActingRequest, key: string) {
  for (;;) {
    const response = await send(earn.api, sent, keyed(key))
    const text = await response.text()
    const isRepeated = response.headers.get('idempotent-replayed') === 'true'
    if (response.status !== 503) return { status: response.status, text, isRepeated }
    expect([response.headers.get('retry-after'), text]).toEqual([
      '1',
      expect.stringContaining('IDEMPOTENCY_KEY_IN_USE'),
    ])
    await sleep(20)
  }
}

/** A real api over the same database. */
async function startSecondApi(): Promise<ApiProcess> {
  const { databaseUrl, context } = earn.api
  const folder = await mkdtemp(join(tmpdir(), 'causeway-idempotency-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { environment, chains, tokens, transitRoutes } = testAddressBook
  const addressBook = join(folder, 'book.json')
  await writeFile(addressBook, JSON.stringify({ environment, chains, tokens, transitRoutes }))
  const dead = 'http://127.0.0.1:1'
  const api = await startApiProcess({
    databaseUrl,
    addressBook,
    rpcUrls: { 1: dead, 4663: dead },
    appSecret: Buffer.from(context.appSecret).toString('hex'),
    variables: {
      SECRETS_KEY: Buffer.from(context.secretsKey).toString('hex'),
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  })
  await untilReady(api)
  return api
}

/** The calls of that api that wait in their transactions. */
async function waiting(): Promise<number> {
  const sessions = await earn.api.context.sql`
    select distinct a.pid from pg_stat_activity a join pg_locks l using (pid)
    where a.datname = current_database() and a.application_name = 'causeway-api-changes'
      and not l.granted`
  return sessions.length
}

const LOSSES = ['sent', 'sent', 'answered', 'whole', 'together'] as const

/** Loses the first answer in one way. */
async function lose(sent: ActingRequest, key: string, how: (typeof LOSSES)[number]) {
  if (how === 'whole') return (await sendUntilFree(sent, key)).text
  if (how === 'together') {
    await Promise.all([1, 2, 3].map(() => sendUntilFree(sent, key)))
    return null
  }
  await sendAndCut(sent, key, how)
  return null
}

describe('Idempotency-Key', () => {
  test('the calls of these tests are all that act', () => {
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {})
    expect(actingRoutes.map(({ field }) => field).toSorted()).toEqual(mutations.toSorted())
    expect(Object.keys(calls).toSorted()).toEqual(mutations.toSorted())
  })

  test.for(actingRoutes.map((route) => [route.operationId, route] as const))(
    'default: %s has one effect and its first answer, however often its answer is lost',
    async ([operationId, route]) => {
      const random = seededRandom(operationId.length)
      for (const [door, write] of Object.entries(DOORS))
        for (const how of LOSSES) {
          const variables = (await calls[operationId]?.()) ?? {}
          const sent = write(route, variables)
          const key = randomUUID()
          const before = await countEffects(earn.api)
          const lost = await lose(sent, key, how)
          await sleep(random.integer(0, 15))
          const first = await sendUntilFree(sent, key)
          const second = await sendUntilFree(sent, key)
          const where = `${operationId} over ${door}, ${how}`
          expect([where, first.status, first.text]).toEqual([where, 200, lost ?? first.text])
          expect([where, second]).toEqual([where, { ...first, isRepeated: true }])
          expect([where, first.text.includes('"errors"')]).toEqual([where, false])
          if (how !== 'sent') expect([where, first.isRepeated]).toEqual([where, true])
          expect([where, await countEffects(earn.api)]).toEqual([where, before + 1])
        }
    },
  )

  test('behavior: the answer has what the call changed', async () => {
    const [route] = actingRoutes.filter(({ operationId }) => operationId === 'refundSmartDeposit')
    if (!route) throw new Error('no route')
    for (const write of Object.values(DOORS)) {
      const sent = write(route, (await calls.refundSmartDeposit?.()) ?? {})
      const { status, text } = await sendUntilFree(sent, randomUUID())
      expect([status, text]).toEqual([200, expect.stringMatching(/"refundOrderedAt":"\d/)])
    }
  })

  test('behavior: another call, or another caller of the organization, is refused; another organization is not', async () => {
    const key = randomUUID()
    expect((await sendUntilFree(HOOK, key)).status).toBe(200)
    const other = {
      ...HOOK,
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', eventTypes: ['*'] }),
    }
    const refused = await send(earn.api, other, keyed(key))
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { details: [{}, { reason: 'IDEMPOTENCY_KEY_REUSED' }] } },
    ])
    const otherKey = await createTestKey(earn.api.administrator)
    const answers = await Promise.all(
      [otherKey, (await newOrganization(earn.api, randomUUID())).key].map(async (apiKey) => {
        const response = await send(earn.api, HOOK, { ...keyed(key), 'x-api-key': apiKey })
        return [response.status, (await response.text()).includes('IDEMPOTENCY_KEY_REUSED')]
      }),
    )
    // The other organization's key lacks a permission, and learns nothing of the answer.
    expect(answers).toEqual([
      [400, true],
      [403, false],
    ])
  })

  test('behavior: a refusal is not kept: the same key acts once what stood against it is gone', async () => {
    const key = randomUUID()
    const [route] = actingRoutes.filter(({ operationId }) => operationId === 'openTransitRoute')
    if (!route) throw new Error('no route')
    await earn.api.context.sql`delete from app.transit_pause`
    for (const write of Object.values(DOORS)) {
      const sent = write(route, {})
      const text = async () => (await sendUntilFree(sent, `${key}${write.name}`)).text
      expect(await text()).toContain('TRANSIT_STOP_NOT_FOUND')
      await calls.openTransitRoute?.()
      expect(await text()).not.toContain('TRANSIT_STOP_NOT_FOUND')
    }
  })

  test('behavior: variables that no one declared make no other call, however deeply they are nested', async () => {
    const query =
      'mutation ($name: String!) { createApiKey(name: $name, permissions: []) { secret } }'
    const sendWith = (variables: string, key: string) =>
      sendUntilFree(
        { method: 'POST', path: '/graphql', body: `{"query":"${query}","variables":${variables}}` },
        key,
      )
    const key = randomUUID()
    const before = await countEffects(earn.api)
    const first = await sendWith('{"name":"one"}', key)
    expect([first.status, first.isRepeated]).toEqual([200, false])
    const repeated = await sendWith(`{"name":"one","more":${NESTED}}`, key)
    expect(repeated).toEqual({ ...first, isRepeated: true })
    expect((await sendWith('{"name":"two"}', key)).text).toContain('IDEMPOTENCY_KEY_REUSED')
    expect(await countEffects(earn.api)).toBe(before + 1)
  })

  test('error: a value that is nested too deeply', async () => {
    const query = 'mutation ($name: String!) { createOrganization(name: $name) { id } }'
    for (const [path, body] of [
      ['/graphql', `{"query":"${query}","variables":{"name":${NESTED}}}`],
      [HOOK.path, `{"url":${NESTED},"eventTypes":["ping"]}`],
      [HOOK.path, `{"url":"http://127.0.0.1:9/","eventTypes":${NESTED}}`],
    ] as const) {
      const { status } = await sendUntilFree({ method: 'POST', path, body }, randomUUID())
      expect([body.slice(0, 40), status]).toEqual([body.slice(0, 40), 400])
    }
  })

  test('error: with several fields a mutation has no key', async () => {
    const query = `mutation { made: createOrganization(name: "${randomUUID()}") { id }
      again: createOrganization(name: "${randomUUID()}") { id } }`
    const sent = { method: 'POST', path: '/graphql', body: JSON.stringify({ query }) }
    const before = await countEffects(earn.api)
    const { status, text } = await sendUntilFree(sent, randomUUID())
    expect([status, text]).toEqual([400, expect.stringContaining('has one field')])
    expect(await countEffects(earn.api)).toBe(before)
  })

  test('behavior: calls whose host nobody resolves hold up no other one', async () => {
    const silent = createSocket('udp4')
    silent.bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const { webhookTargets } = earn.api.context
    const servers = [`127.0.0.1:${silent.address().port}`]
    webhookTargets.resolve = (name) => resolveByDns(name, { servers, timeoutMs: 1_000 })
    onTestFinished(() => {
      webhookTargets.resolve = undefined
      silent.close()
    })
    const body = JSON.stringify({ url: 'http://silent.example/', eventTypes: ['ping'] })
    const slow = Array.from({ length: 8 }, () =>
      send(earn.api, { ...HOOK, body }, keyed(randomUUID())),
    )
    await once(silent, 'message')
    const query = `mutation { createOrganization(name: "${randomUUID()}") { id } }`
    const other = { method: 'POST', path: '/graphql', body: JSON.stringify({ query }) }
    const first = await Promise.race([
      sendUntilFree(other, randomUUID()).then(({ status }) => status),
      ...slow.map((one) => one.then(() => 'refused before')),
    ])
    expect(first).toBe(200)
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(8).fill(400))
  })

  test('error: a malformed key, and one of a mutation over the stream', async () => {
    for (const key of ['', 'a b', 'x'.repeat(256), 'ä'])
      expect([key, (await send(earn.api, HOOK, keyed(key))).status]).toEqual([key, 400])
    expect((await send(earn.api, HOOK, keyed('!~'.repeat(127)))).status).toBe(200)
    const body = JSON.stringify({ query: 'mutation { createOrganization(name: "x") { id } }' })
    const sent = { method: 'POST', path: '/graphql/stream', body }
    expect((await send(earn.api, sent, keyed('a'))).status).toBe(400)
  })

  test('behavior: while a call is under way its key is in use, until the api that answers it is killed', async () => {
    const { api } = earn
    const dying = await startSecondApi()
    onTestFinished(dying.stop)
    const apiKey = { 'x-api-key': keyOf(api.url) ?? '' }
    const query =
      'mutation { createWebhookEndpoint(url: "http://127.0.0.1:9/", eventTypes: ["ping"]) { secret } }'
    const graphql = { method: 'POST', path: '/graphql', body: JSON.stringify({ query }) }
    const before = await countEffects(api)
    const calls = [HOOK, graphql].map((sent) => ({ sent, key: randomUUID() }))
    await api.context.sql.begin(async (transaction) => {
      await transaction`select 1 from app.organization for update`
      const lost = calls.map(({ sent, key }) => send(dying, sent, { ...keyed(key), ...apiKey }))
      for (const one of lost) one.catch(() => {})
      await until(
        async () => (await waiting()) === calls.length,
        () => `the calls are not under way:\n${dying.output()}`,
      )
      for (const { sent, key } of calls) {
        const response = await send(api, sent, keyed(key))
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
        expect(await response.text()).toContain('IDEMPOTENCY_KEY_IN_USE')
      }
      await dying.kill()
      expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual([
        'rejected',
        'rejected',
      ])
    })
    for (const { sent, key } of calls)
      expect(await sendUntilFree(sent, key)).toEqual({
        status: 200,
        text: expect.stringContaining('whsec_'),
        isRepeated: false,
      })
    expect(await countEffects(api)).toBe(before + calls.length)
  })

  test('error: a secret is not shown again to a member whose proof has become old', async () => {
    const { sql } = earn.api.context
    const { id: organizationId } = await testOrganization(sql)
    const name = randomUUID()
    const member = await joinConsole(earn.api, { name, organizationId, role: 'owner' })
    const headers = { ...keyed(randomUUID()), origin: CONSOLE_ORIGIN }
    const query = 'mutation { createApiKey(name: "one", permissions: []) { secret } }'
    const create = async () =>
      JSON.stringify((await member.graphql(query, organizationId, headers)).body)
    const first = await create()
    expect(first).toContain('causeway_')
    expect(await create()).toBe(first)
    await sql`update app.console_session set authenticated_at = now() - interval '1 hour'`
    const later = await create()
    expect([later.includes('causeway_'), later.includes('REAUTHENTICATION_NEEDED')]).toEqual([
      false,
      true,
    ])
  })

  test('behavior: a change whose answer cannot be kept has not happened', async () => {
    const { sql } = earn.api.context
    await sql`
      create function app.refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$`
    await sql`
      create trigger refuse before insert on app.idempotency_key execute function app.refuse()`
    onTestFinished(async () => {
      await sql`drop function app.refuse cascade`
    })
    const key = randomUUID()
    for (const route of actingRoutes) {
      const variables = (await calls[route.operationId]?.()) ?? {}
      const made = await countEffects(earn.api)
      for (const write of Object.values(DOORS))
        expect((await sendUntilFree(write(route, variables), key)).status).toBe(500)
      expect([route.operationId, await countEffects(earn.api)]).toEqual([route.operationId, made])
    }
  })

  test('behavior: the client repeats a change whose answer is lost, and gets the first answer', async () => {
    let lost = 0
    const causeway = createCausewayClient({
      url: earn.api.url,
      apiKey: keyOf(earn.api.url),
      async fetch(input, init) {
        const response = await fetch(input, init)
        await response.text()
        lost += 1
        if (lost === 1) throw new TypeError('terminated')
        return fetch(input, init)
      },
    })
    const before = await countEffects(earn.api)
    const { secret } = await causeway.access.createKey({ name: 'one', permissions: [] })
    expect([lost, secret.startsWith('causeway_')]).toEqual([2, true])
    expect(await countEffects(earn.api)).toBe(before + 1)
  })

  test('behavior: an answer is encrypted, and forgotten after a day', async () => {
    const { sql } = earn.api.context
    const key = randomUUID()
    const { text } = await sendUntilFree(HOOK, key)
    const { secret } = JSON.parse(text) as { secret: string }
    const [row] = await sql<{ sealed: Uint8Array }[]>`
      select sealed_answer as sealed from app.idempotency_key where key = ${key}`
    expect(Buffer.from(row?.sealed ?? []).includes(secret)).toBe(false)
    expect(row?.sealed.length).toBeGreaterThan(secret.length)
    const age = (hours: number) => sql`
      update app.idempotency_key set answered_at = now() - make_interval(secs => ${hours * 3_600})
      where key = ${key}`
    await age(23.99)
    await forgetAnswers(sql)
    expect(await sendUntilFree(HOOK, key)).toEqual({ status: 200, text, isRepeated: true })
    await age(24)
    const later = await sendUntilFree(HOOK, key)
    expect([later.isRepeated, later.text === text]).toEqual([false, false])
    await age(24)
    await forgetAnswers(sql)
    expect(await sql`select 1 from app.idempotency_key where key = ${key}`).toEqual([])
  })
})
