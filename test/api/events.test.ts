import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { EVENT_TYPES, type EventType } from '../../domain/webhook/eventTypes.ts'
import { createEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { countEvents } from '../support/countEvents.ts'
import { noteSecret } from '../support/handedOut.ts'
import type { ErrorBody } from '../support/refusal.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'

/** The event log against what was recorded: pages, filters, times. */

type Recorded = {
  sequence: number
  type: EventType
  resourceId: string
  /** The endpoints that it is delivered to. */
  endpointIds: string[]
  second: number
}
type Body = Pick<ErrorBody, 'error'> & {
  events: { organizationSequence: string }[]
  nextAfter: string
  hasMore: boolean
}

const COUNT = 1_300
/** The times of the events, in Unix seconds: so many events share each second. */
const FIRST_SECOND = 1_700_000_000
/** So many have one time, and the next ones come so long after them: all in half a month. */
const PER_SECOND = 10
const STEP = 10_000
/** Mostly of one type, so that others are far apart. */
const COMMON = 'smart_deposit.deposit.pending'
const QUEUE = `0x${'aB'.repeat(20)}` as const
const RESOURCE_IDS = [
  `0x${'5d'.repeat(32)}`,
  `0x${'0f'.repeat(32)}`,
  `1:${getAddress(QUEUE)}:7`,
  `1:${getAddress(QUEUE)}`,
  '8c0b5b9e-1d0c-4d8e-9d55-6f0a53c43c11',
] as const
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6))

let api: TestApi
let key: string
let recorded: Recorded[] = []
const endpointIds: string[] = []

beforeAll(async () => {
  api = await startTestApi()
  const { sql, secretsKey } = api.context
  const { id: organizationId } = await createOrganization(api.administrator, 'Log')
  key = (await createKey(api.administrator, { organizationId, permissions: ['webhooks'] })).key
  const administrator = {
    sql,
    secretsKey,
    actor: 'test',
    targets: { allowPrivate: true },
    vaults: null,
  }
  for (const eventTypes of [['smart_deposit.deposit.failed', 'ping'], ['transit.*'], ['*']]) {
    const url = 'http://127.0.0.1:9/'
    const made = await createEndpoint(administrator, organizationId, {
      url,
      eventTypes,
      filter: '',
    })
    noteSecret(made.secret)
    endpointIds.push(made.endpoint.id)
  }
  await record(organizationId)
})
afterAll(() => api?.stop())

async function record(organizationId: string) {
  const random = seededRandom(SEED)
  const { sql } = api.context
  const events = Array.from({ length: COUNT }, (_, index) => ({
    organizationId,
    type: random.chance(0.9) ? COMMON : random.pick(EVENT_TYPES),
    resourceId: random.pick(RESOURCE_IDS),
    name: String(index),
    fields: {},
  }))
  const rows = await sql.begin((transaction) =>
    recordEvents(
      transaction,
      events.map(({ resourceId, ...event }) => {
        return { ...event, resource: `${kindOf(resourceId, event.type)}:${resourceId}` }
      }),
    ),
  )
  await sql`
    update app.event set created_at =
      to_timestamp(${FIRST_SECOND}::bigint + (organization_sequence - 1) / ${PER_SECOND}::bigint * ${STEP}::bigint)
    where organization_id = ${organizationId}`
  await countEvents(sql)
  await sql`
    update app.webhook_delivery d set event_at = e.created_at from app.event e where e.id = d.event_id`
  const deliveries = await sql<{ eventId: string; endpointId: string }[]>`
    select event_id as "eventId", endpoint_id as "endpointId" from app.webhook_delivery`
  const delivered = Map.groupBy(deliveries, ({ eventId }) => eventId)
  recorded = rows.map(({ id, type }, index) => ({
    sequence: index + 1,
    type,
    resourceId: events[index]?.resourceId ?? '',
    endpointIds: (delivered.get(id) ?? []).map(({ endpointId }) => endpointId),
    second: FIRST_SECOND + Math.floor(index / PER_SECOND) * STEP,
  }))
}

function kindOf(id: string, type: EventType): string {
  if (id.startsWith('0x')) return type.startsWith('transit') ? 'transit_order' : 'smart_deposit'
  if (id.includes('-')) return 'webhook_endpoint'
  return id.split(':').length === 3 ? 'withdrawal_request' : 'vault'
}

async function read(query: Record<string, string>) {
  const response = await ask(`${api.url}/v2/events?${new URLSearchParams(query)}`, {
    headers: { 'x-api-key': key },
  })
  const body = (await response.json()) as Body
  return { status: response.status, headers: response.headers, body }
}

/** The sequences of all pages, and the last `nextAfter`. */
async function walk(query: Record<string, string>) {
  const sequences: number[] = []
  let after = query.after
  for (let pages = 1; ; pages += 1) {
    const { status, body } = await read({ ...query, ...(after === undefined ? {} : { after }) })
    expect([status, body.error]).toEqual([200, undefined])
    expect(body.events.length).toBeLessThanOrEqual(Number(query.pageSize ?? 10))
    sequences.push(...body.events.map(({ organizationSequence }) => Number(organizationSequence)))
    if (!body.hasMore) return { sequences, pages, end: body.nextAfter }
    expect(Number(body.nextAfter)).toBeGreaterThan(Number(after ?? 0))
    after = body.nextAfter
  }
}

type Drawn = { text: string; matches: (event: Recorded) => boolean }

function drawFilter(random: SeededRandom, depth = 0): Drawn {
  if (depth > 2 || random.chance(0.5)) return drawComparison(random)
  const [left, right] = [drawFilter(random, depth + 1), drawFilter(random, depth + 1)]
  if (random.chance(0.5))
    return {
      text: `(${left.text} AND ${right.text})`,
      matches: (event) => left.matches(event) && right.matches(event),
    }
  return {
    text: `(${left.text} OR ${right.text})`,
    matches: (event) => left.matches(event) || right.matches(event),
  }
}

function drawComparison(random: SeededRandom): Drawn {
  const isEqual = random.chance(0.7)
  const compared = (name: string, value: string, holds: Drawn['matches']): Drawn => ({
    text: `${name} ${isEqual ? '=' : '!='} "${value}"`,
    matches: (event) => holds(event) === isEqual,
  })
  const kind = random.integer(1, 4)
  if (kind === 1) {
    const type = random.pick(EVENT_TYPES)
    return compared('type', type, (event) => event.type === type)
  }
  if (kind === 2) {
    const prefix = random.pick(['smart_deposit.', 'transit.order.', 'withdrawal.', 'transit.'])
    return compared('type', `${prefix}*`, ({ type }) => type.startsWith(prefix))
  }
  if (kind === 3) {
    const id = random.pick(RESOURCE_IDS)
    const text = random.chance(0.5) ? id : id.toLowerCase()
    return compared('resourceId', text, ({ resourceId }) => resourceId === id)
  }
  const [first = '', ...others] = endpointIds
  const id = random.pick([first, ...others, 'f3b5a3a2-9a0b-4c9b-8d53-2b1f4f3f7a10'])
  return compared('endpointId', id, (event) => event.endpointIds.includes(id))
}

const expected = (matches: Drawn['matches']) =>
  recorded.filter(matches).map(({ sequence }) => sequence)

describe('GET /v2/events', () => {
  test('default: without a filter every event, with a private entity tag', async () => {
    const { sequences, end } = await walk({ pageSize: '100' })
    expect(sequences).toEqual(expected(() => true))
    expect(end).toBe(String(COUNT))
    const { headers } = await read({})
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('etag')).toMatch(/^"/)
  })

  test('behavior: a type that contradicts itself matches nothing of an endpoint', async () => {
    const filter = `endpointId = "${endpointIds[0]}" AND type = "transit.*" AND type != "transit.*"`
    expect((await walk({ filter, pageSize: '100' })).sequences).toEqual([])
  })

  test(`behavior: pages of any filter are what matches it (SEED=${SEED})`, async () => {
    const random = seededRandom(SEED + 1)
    for (let drawn = 0; drawn < 60; drawn += 1) {
      const { text, matches } = drawFilter(random)
      const startTime =
        FIRST_SECOND + random.integer(-5, COUNT / PER_SECOND + 5) * STEP - random.integer(0, 1)
      const isTimed = random.chance(0.3)
      const query = {
        filter: text,
        pageSize: '100',
        ...(isTimed ? { startTime: `${startTime}` } : {}),
      }
      const { sequences, end } = await walk(query)
      const inTime = ({ second }: Recorded) => !isTimed || second >= startTime
      expect([text, sequences]).toEqual([
        text,
        expected((event) => matches(event) && inTime(event)),
      ])
      expect(end).toBe(String(COUNT))
    }
  })

  test('behavior: a filtered page examines a bounded number of events, and goes on after them', async () => {
    const rare = `type != ${COMMON} AND endpointId != ${endpointIds[2]}`
    const first = await read({ filter: `(${rare}) OR resourceId = 1:${QUEUE}:9`, pageSize: '1' })
    expect(first.body).toEqual({ events: [], nextAfter: '500', hasMore: true })
  })

  test('behavior: the same over GraphQL', async () => {
    const filter = `type = transit.* OR endpointId = ${endpointIds[0]}`
    const [after, startTime] = ['7', FIRST_SECOND + 20 * STEP]
    const { body } = await read({ filter, after, startTime: String(startTime), pageSize: '5' })
    const query = `query ($filter: String, $after: String!, $startTime: UnixTime) {
      events(filter: $filter, after: $after, startTime: $startTime, pageSize: 5) {
        events { organizationSequence event } nextAfter hasMore }
      now: events(from: now) { nextAfter } }`
    const response = await ask(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { filter, after, startTime } }),
    })
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    expect(data).toEqual({ events: body, now: { nextAfter: String(COUNT) } })
    expect(body.events).toHaveLength(5)
  })

  test('behavior: from now on, without what was before', async () => {
    const { body } = await read({ from: 'now' })
    expect(body).toEqual({ events: [], nextAfter: String(COUNT), hasMore: false })
    const filtered = await read({ from: 'now', filter: 'type = *' })
    expect(filtered.body).toEqual(body)
  })

  test('error: a place that no event has, and contradictions', async () => {
    const violations = async (query: Record<string, string>) => {
      const { status, body } = await read(query)
      expect(status).toBe(400)
      return body.error.details.flatMap(({ fieldViolations = [] }) => fieldViolations)
    }
    expect(await violations({ after: String(COUNT + 1) })).toEqual([
      { field: 'after', description: expect.stringContaining(`at most ${COUNT}`) },
    ])
    expect((await read({ after: String(COUNT) })).body.nextAfter).toBe(String(COUNT))
    for (const more of [{ after: '0' }, { startTime: '1' }])
      expect(await violations({ from: 'now', ...more })).toMatchObject([{ field: 'from' }])
    expect(await violations({ from: 'then', startTime: '-1' })).toMatchObject([
      { field: 'from' },
      { field: 'startTime' },
    ])
    for (const filter of [
      'type = transit',
      'type = smart_deposits.*',
      'resourceId = 7',
      'endpointId = 7',
    ])
      expect(await violations({ filter })).toMatchObject([{ field: 'filter' }])
  })

  test('error: an after whose next events are no longer kept; without one, all that are', async () => {
    const { sql } = api.context
    await sql`update app.event_sequence set expired = 100`
    const { status, body } = await read({ after: '99' })
    const [info] = body.error.details
    expect([status, info]).toMatchObject([
      400,
      { reason: 'EVENTS_EXPIRED', metadata: { oldestSequence: '101' } },
    ])
    expect((await read({ after: '100', pageSize: '1' })).body).toMatchObject({
      events: [{ organizationSequence: '101' }],
    })
    for (const query of [{}, { startTime: '1' }, { filter: 'type = *' }])
      expect((await read({ ...query, pageSize: '1' })).body).toMatchObject({
        events: [{ organizationSequence: '101' }],
      })
    const asked = async (path: string, sent: object) => {
      const response = await ask(`${api.url}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
      return JSON.stringify(await response.json())
    }
    const query = '{ events(after: "0") { nextAfter } }'
    expect(await asked('/graphql', { query })).toContain('EVENTS_EXPIRED')
    const replay = `/v2/webhooks/endpoints/${endpointIds[0]}/replay`
    expect(await asked(replay, { after: '5' })).toContain('EVENTS_EXPIRED')
    expect(await asked(replay, { startTime: 0 })).toContain('"afterSequence":"100"')
    await sql`update app.event_sequence set expired = 0`
  })

  test('behavior: a time that no clock reaches has no events', async () => {
    const { body } = await read({ startTime: '99999999999' })
    expect(body).toEqual({ events: [], nextAfter: String(COUNT), hasMore: false })
  })
})
