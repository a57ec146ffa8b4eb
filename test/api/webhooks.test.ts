import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { noteSecret } from '../support/handedOut.ts'
import {
  type Answer,
  type Body,
  DEPOSIT_FIELDS,
  fieldsOf,
  reasonOf,
  violationsOf,
} from '../support/webhookAnswer.ts'

let api: TestApi
let strict: TestApi
let sql: Sql
let organizationId: string
let stranger: string
beforeAll(async () => {
  api = await startTestApi()
  strict = await startTestApi({
    webhookTargets: {
      allowPrivate: false,
      resolve: async (name) => [
        { address: name.startsWith('public') ? '8.8.8.8' : '10.0.0.1', family: 4 },
      ],
    },
  })
  sql = api.context.sql
  const [tests] = await sql<{ id: string }[]>`select id from app.organization where name = 'Tests'`
  organizationId = tests?.id ?? ''
  const { id } = await createOrganization(api.administrator, 'Stranger')
  const made = await createKey(api.administrator, { organizationId: id, permissions: ['webhooks'] })
  stranger = made.key
})
afterAll(async () => {
  await api.stop()
  await strict.stop()
})

async function call(
  method: string,
  path: string,
  { body, key, of = api }: { body?: unknown; key?: string; of?: TestApi } = {},
): Promise<Answer> {
  const headers: Record<string, string> = key ? { 'x-api-key': key } : {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await ask(of.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answered = (await response.json()) as Body
  expect(undescribed(of.url + path, response.status, answered, method.toLowerCase())).toEqual([])
  return { status: response.status, body: answered }
}

const URL_ = 'http://127.0.0.1:9/hooks'
async function create(
  params: Record<string, unknown> = {},
): Promise<{ id: string; secret: string }> {
  const { status, body } = await call('POST', '/v2/webhooks/endpoints', {
    body: { url: URL_, eventTypes: ['smart_deposit.*'], ...params },
  })
  expect([status, body]).toMatchObject([200, { secret: expect.stringMatching(/^whsec_/) }])
  noteSecret(body.secret)
  return { id: body.endpoint.id, secret: body.secret }
}

const record = (resource: string, names: string[]) =>
  sql.begin((transaction) =>
    recordEvents(
      transaction,
      names.map((name) => ({
        organizationId,
        resource,
        type: 'smart_deposit.deposit.pending',
        name,
        fields: { ...DEPOSIT_FIELDS, organization_id: organizationId },
      })),
    ),
  )

async function walkPages(
  path: string,
  items: 'webhookEndpoints' | 'deliveries',
): Promise<Record<string, unknown>[]> {
  const { body } = await call('GET', path)
  if (body.nextPageToken === null) return body[items]
  const [first] = path.split('&pageToken')
  const next = `${first}&pageToken=${encodeURIComponent(body.nextPageToken)}`
  return [...body[items], ...(await walkPages(next, items))]
}

describe('endpoints', () => {
  test('default: made, shown without its secret, changed, rotated, deleted', async () => {
    const { id, secret } = await create({ filter: `userAddress = 0x${'1'.repeat(40)}` })
    const path = `/v2/webhooks/endpoints/${id}`
    const shown = await call('GET', path)
    expect(shown.body.endpoint).toMatchObject({
      id,
      url: URL_,
      eventTypes: ['smart_deposit.*'],
      status: 'ENABLED',
      disabledReason: null,
      previousSecretExpiresAt: null,
      description: '',
    })
    expect(JSON.stringify(shown.body)).not.toContain(secret)
    const changed = await call('PATCH', path, {
      body: { filter: null, status: 'DISABLED', description: 'for now', eventTypes: ['*', '*'] },
    })
    expect(changed.body.endpoint).toMatchObject({
      filter: null,
      status: 'DISABLED',
      disabledReason: 'BY_HAND',
      eventTypes: ['*'],
    })
    const untouched = await call('PATCH', path, { body: {} })
    expect(untouched.body.endpoint).toMatchObject({ description: 'for now', filter: null })
    const rotated = await call('POST', `${path}/rotate-secret`, { body: { overlapSeconds: 60 } })
    noteSecret(rotated.body.secret)
    expect(rotated.body.secret).not.toBe(secret)
    expect(rotated.body.endpoint.previousSecretExpiresAt).toMatch(/Z$/)
    expect((await call('DELETE', path)).status).toBe(200)
    expect(reasonOf(await call('GET', path))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND')
    const audit = await sql<{ action: string; actor: string; details: object }[]>`
      select action, actor, details from app.audit where subject = ${id} order by id`
    expect(audit.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.change',
      'webhook.change',
      'webhook.rotate',
      'webhook.delete',
    ])
    expect(audit.every(({ actor }) => actor.startsWith('key:'))).toBe(true)
  })

  test('error: names everything that is wrong', async () => {
    const bad = await call('POST', '/v2/webhooks/endpoints', {
      body: {
        url: 'ftp://x',
        eventTypes: ['smart_deposits.*'],
        filter: 'status = A',
        description: 'x'.repeat(201),
      },
    })
    expect(fieldsOf(bad).toSorted()).toEqual(['description', 'eventTypes', 'filter', 'url'])
    const unstorable = await call('POST', '/v2/webhooks/endpoints', {
      body: { url: URL_, eventTypes: ['ping'], description: 'a\0b' },
    })
    expect(fieldsOf(unstorable)).toEqual(['description'])
    const missing = await call('POST', '/v2/webhooks/endpoints', { body: { eventTypes: 'ping' } })
    expect(violationsOf(missing)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'url', description: 'required' }),
        expect.objectContaining({ description: 'expected an array of types' }),
      ]),
    )
    const other = await call('POST', '/v2/webhooks/endpoints', { body: { url: 1, eventTypes: [] } })
    expect(violationsOf(other)).toContainEqual(
      expect.objectContaining({ field: 'url', description: 'expected a string' }),
    )
    for (const eventTypes of [[], [1], ['*', ''], Array(51).fill('ping')])
      expect(
        fieldsOf(await call('POST', '/v2/webhooks/endpoints', { body: { url: URL_, eventTypes } })),
      ).toEqual([expect.stringMatching(/^eventTypes/)])
    const { id } = await create()
    const patch = await call('PATCH', `/v2/webhooks/endpoints/${id}`, { body: { status: 'ON' } })
    expect(fieldsOf(patch)).toEqual(['status'])
    const rotate = `/v2/webhooks/endpoints/${id}/rotate-secret`
    for (const overlapSeconds of [-1, 1.5, 604_801, '60'])
      expect(fieldsOf(await call('POST', rotate, { body: { overlapSeconds } }))).toEqual([
        'overlapSeconds',
      ])
  })

  test('error: a URL that may get no webhooks is refused when it is registered or changed', async () => {
    const at = (url: string) =>
      call('POST', '/v2/webhooks/endpoints', { body: { url, eventTypes: ['*'] }, of: strict })
    for (const url of [
      'http://public.example/',
      'https://private.example/',
      'https://127.0.0.1/',
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://u:p@public.example/',
    ])
      expect(fieldsOf(await at(url))).toEqual(['url'])
    const made = await at('https://public.example/')
    noteSecret(made.body.secret)
    const moved = await call('PATCH', `/v2/webhooks/endpoints/${made.body.endpoint.id}`, {
      body: { url: 'https://private.example/' },
      of: strict,
    })
    expect(fieldsOf(moved)).toEqual(['url'])
  })

  test('behavior: another organization sees and does nothing', async () => {
    const { id } = await create()
    const [event] = await record('foreign', ['a'])
    const path = `/v2/webhooks/endpoints/${id}`
    for (const [method, rest, body] of [
      ['GET', ''],
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${event?.id}/attempts`],
      ['PATCH', '', { status: 'DISABLED' }],
      ['DELETE', ''],
      ['POST', '/ping', {}],
      ['POST', '/rotate-secret', {}],
      ['POST', `/deliveries/${event?.id}/redeliver`, {}],
    ] as const) {
      const answer = await call(method, path + rest, { key: stranger, body })
      expect([method, rest, reasonOf(answer)]).toEqual([method, rest, 'WEBHOOK_ENDPOINT_NOT_FOUND'])
    }
    const listed = await call('GET', '/v2/webhooks/endpoints', { key: stranger })
    expect(listed.body).toEqual({ webhookEndpoints: [], nextPageToken: null })
    const events = await call('GET', '/v2/events', { key: stranger })
    expect(events.body).toEqual({ events: [], nextAfter: '0', hasMore: false })
    expect((await call('GET', path)).body.endpoint.status).toBe('ENABLED')
  })

  test('behavior: a list of them, by pages and status', async () => {
    const ids = [(await create()).id, (await create()).id, (await create()).id]
    await call('PATCH', `/v2/webhooks/endpoints/${ids[1]}`, { body: { status: 'DISABLED' } })
    const all = await walkPages('/v2/webhooks/endpoints?pageSize=2', 'webhookEndpoints')
    expect(all.map(({ id }) => id).filter((id) => ids.includes(String(id)))).toEqual(ids)
    const query = new URLSearchParams({ filter: 'status = DISABLED' })
    const disabled = await call('GET', `/v2/webhooks/endpoints?${query}`)
    expect(disabled.body.webhookEndpoints.map(({ id }) => id)).toEqual([ids[1]])
  })

  test('error: at most fifty', async () => {
    const { id: full } = await createOrganization(api.administrator, 'Full')
    const permissions = ['webhooks'] as const
    const { key } = await createKey(api.administrator, { organizationId: full, permissions })
    await sql`
      insert into app.webhook_endpoint (organization_id, url, event_types)
      select ${full}, 'https://a.example/', '{*}' from generate_series(1, 50)`
    const body = { url: URL_, eventTypes: ['*'] }
    const refused = await call('POST', '/v2/webhooks/endpoints', { key, body })
    expect(reasonOf(refused)).toBe('WEBHOOK_ENDPOINT_LIMIT')
  })
})

describe('deliveries and events', () => {
  test('default: dead ones are visible and sent again by hand', async () => {
    const { id } = await create()
    const recorded = await record('dead', ['a', 'b', 'c'])
    const [dead, delivered] = recorded
    await sql`
      update app.webhook_delivery set status = 'dead', attempts = 10, last_error = 'answered 500',
        last_status = 500 where event_id = ${dead?.id ?? ''} and endpoint_id = ${id}`
    await sql`
      update app.webhook_delivery set status = 'delivered', attempts = 1, delivered_at = now()
      where event_id = ${delivered?.id ?? ''} and endpoint_id = ${id}`
    const path = `/v2/webhooks/endpoints/${id}/deliveries`
    const filter = new URLSearchParams({ filter: 'status = DEAD' })
    const listed = await call('GET', `${path}?${filter}`)
    expect(listed.body.deliveries).toMatchObject([
      { eventId: dead?.id, status: 'DEAD', attempts: 10, lastStatus: 500, nextAttemptAt: null },
    ])
    const all = await walkPages(`${path}?pageSize=1`, 'deliveries')
    expect(all.map(({ eventId }) => eventId)).toEqual(recorded.map((event) => event.id).reverse())
    const again = await call('POST', `${path}/${dead?.id}/redeliver`, { body: {} })
    expect(again.body.delivery).toMatchObject({ status: 'WAITING', attempts: 0 })
    const jobs = await sql`
      select 1 from graphile_worker._private_jobs
      where payload->>'endpointId' = ${id} and payload->>'resource' = 'dead'`
    expect(jobs).toHaveLength(2)
    for (const none of ['evt_none', 'evt_%00']) {
      const unknown = await call('POST', `${path}/${none}/redeliver`, { body: {} })
      expect(reasonOf(unknown)).toBe('WEBHOOK_DELIVERY_NOT_FOUND')
    }
  })

  test('default: the attempts of a delivery, the newest first', async () => {
    const { id } = await create()
    const [event] = await record('attempted', ['a'])
    const path = `/v2/webhooks/endpoints/${id}/deliveries`
    const none = await call('GET', `${path}/${event?.id}/attempts`)
    expect(none.body).toEqual({ attempts: [] })
    await sql`
      insert into app.webhook_attempt (endpoint_id, event_id, started_at, duration_ms, request_url,
        request_headers, response_status, response_body, is_response_body_truncated, error)
      values (${id}, ${event?.id ?? ''}, '2026-01-01', 10000, null, null, null, null, false, 'not sent'),
        (${id}, ${event?.id ?? ''}, '2026-01-02', 12, ${URL_}, '{"b": 1, "a": "2"}', 500, 'no', true, 'answered 500')`
    const { body } = await call('GET', `${path}/${event?.id}/attempts`)
    const header = (name: string, value: string) => ({ name, value })
    expect(body.attempts).toEqual([
      {
        startedAt: '2026-01-02T00:00:00.000Z',
        durationMs: 12,
        requestUrl: URL_,
        requestHeaders: [header('b', '1'), header('a', '2')],
        responseStatus: 500,
        responseBody: 'no',
        isResponseBodyTruncated: true,
        error: 'answered 500',
      },
      {
        startedAt: '2026-01-01T00:00:00.000Z',
        durationMs: 10_000,
        requestUrl: null,
        requestHeaders: [],
        responseStatus: null,
        responseBody: null,
        isResponseBodyTruncated: false,
        error: 'not sent',
      },
    ])
    const { id: other } = await create()
    for (const place of [`${id}/deliveries/evt_none`, `${other}/deliveries/${event?.id}`]) {
      const refused = await call('GET', `/v2/webhooks/endpoints/${place}/attempts`)
      expect(reasonOf(refused)).toBe('WEBHOOK_DELIVERY_NOT_FOUND')
    }
  })

  test('behavior: a disabled endpoint is neither pinged nor sent again; enabled, what waits is', async () => {
    const { id } = await create()
    const [event] = await record('held', ['a'])
    const path = `/v2/webhooks/endpoints/${id}`
    await call('PATCH', path, { body: { status: 'DISABLED' } })
    const refused = [
      await call('POST', `${path}/ping`, { body: {} }),
      await call('POST', `${path}/deliveries/${event?.id}/redeliver`, { body: {} }),
    ]
    expect(refused.map(reasonOf)).toEqual(Array(2).fill('WEBHOOK_ENDPOINT_DISABLED'))
    await sql`select 1 from graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
    await call('PATCH', path, { body: { status: 'ENABLED' } })
    const jobs =
      await sql`select payload->>'resource' as resource from graphile_worker._private_jobs`
    expect(jobs.map(({ resource }) => resource)).toEqual(['held'])
    const pinged = await call('POST', `${path}/ping`, { body: {} })
    const filter = new URLSearchParams({ filter: `eventId = ${pinged.body.eventId}` })
    const { body } = await call('GET', `${path}/deliveries?${filter}`)
    expect(body.deliveries).toMatchObject([{ eventType: 'ping', status: 'WAITING' }])
  })

  test('behavior: the replay is every event, in one sequence without gaps', async () => {
    await record('replayed', ['a', 'b', 'c'])
    const stored = await sql<{ sequence: string; body: object }[]>`
      select organization_sequence::text as sequence, body from app.event
      where organization_id = ${organizationId} order by organization_sequence`
    const walked: { organizationSequence: string; event: object }[] = []
    let after = '0'
    for (;;) {
      const { body } = await call('GET', `/v2/events?pageSize=2&after=${after}`)
      walked.push(...body.events)
      after = body.nextAfter
      if (!body.hasMore) break
    }
    expect(walked).toEqual(
      stored.map(({ sequence, body }) => ({ organizationSequence: sequence, event: body })),
    )
    expect(walked.map(({ organizationSequence }) => Number(organizationSequence))).toEqual(
      walked.map((_, index) => index + 1),
    )
    const rest = await call('GET', `/v2/events?after=${after}`)
    expect(rest.body).toEqual({ events: [], nextAfter: after, hasMore: false })
  })

  test('error: a place that is none, and a page that is none, in one answer', async () => {
    const answer = await call('GET', '/v2/events?after=x&pageSize=0')
    expect(fieldsOf(answer).toSorted()).toEqual(['after', 'pageSize'])
    for (const after of ['-1', '01', '1.5', '9'.repeat(19), ''])
      expect(fieldsOf(await call('GET', `/v2/events?after=${after}`))).toEqual(['after'])
  })

  test('behavior: headers and ordering are set, changed, and refused by their form', async () => {
    const { id } = await create()
    const path = `/v2/webhooks/endpoints/${id}`
    const headers = [{ name: 'Authorization', value: 'Bearer secret of ours' }]
    const changed = await call('PATCH', path, { body: { headers, ordering: 'NONE' } })
    expect(changed.body.endpoint).toMatchObject({
      headerNames: ['authorization'],
      ordering: 'NONE',
    })
    expect(JSON.stringify(changed.body)).not.toContain('secret of ours')
    for (const wrong of [[{ name: 'a' }], ['a'], { a: 'b' }, [{ name: 'host', value: 'b' }]])
      expect(fieldsOf(await call('PATCH', path, { body: { headers: wrong } }))[0]).toContain(
        'headers',
      )
    expect(fieldsOf(await call('PATCH', path, { body: { ordering: 'SOME' } }))).toEqual([
      'ordering',
    ])
  })

  test('behavior: a replay, seen by its organization alone, one at a time, and canceled', async () => {
    const { id } = await create()
    const path = `/v2/webhooks/endpoints/${id}/replay`
    expect(reasonOf(await call('GET', path))).toBe('WEBHOOK_REPLAY_NOT_FOUND')
    expect(fieldsOf(await call('POST', path, { body: {} }))).toEqual(['after'])
    await call('POST', `/v2/webhooks/endpoints/${id}/ping`, { body: {} })
    const started = await call('POST', path, { body: { after: '0', eventTypes: ['ping'] } })
    expect(started.body.replay).toMatchObject({ status: 'RUNNING', position: '0', eventCount: 0 })
    expect(reasonOf(await call('POST', path, { body: { startTime: 0 } }))).toBe(
      'WEBHOOK_REPLAY_RUNNING',
    )
    for (const method of ['GET', 'DELETE'])
      expect(reasonOf(await call(method, path, { key: stranger }))).toBe(
        'WEBHOOK_ENDPOINT_NOT_FOUND',
      )
    expect((await call('GET', path)).body).toEqual(started.body)
    expect((await call('DELETE', path)).body.replay.status).toBe('CANCELED')
    expect((await call('GET', path)).body.replay.status).toBe('CANCELED')
    const actions = await sql<{ action: string }[]>`
      select action from app.audit where subject = ${id} order by id desc limit 2`
    expect(actions.map(({ action }) => action)).toEqual(['webhook.cancel_replay', 'webhook.replay'])
  })

  test('behavior: the same over GraphQL', async () => {
    const query = `mutation ($url: String!) {
      createWebhookEndpoint(url: $url, eventTypes: ["ping"]) { secret endpoint { id status } }
    }`
    const response = await ask(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { url: URL_ } }),
    })
    const { data } = (await response.json()) as { data: { createWebhookEndpoint: Body } }
    noteSecret(data.createWebhookEndpoint.secret)
    const { id } = data.createWebhookEndpoint.endpoint
    expect((await call('GET', `/v2/webhooks/endpoints/${id}`)).body.endpoint.eventTypes).toEqual([
      'ping',
    ])
  })

  test('behavior: an empty text under the name of the request id is answered as it is', async () => {
    const { id } = await create()
    const response = await ask(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query:
          'query ($id: String!) { webhookEndpoint(endpointId: $id) { requestId: description } }',
        variables: { id },
      }),
    })
    expect(await response.json()).toMatchObject({ data: { webhookEndpoint: { requestId: '' } } })
  })
})
