import { setTimeout } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { getAddress } from 'viem'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { dropDay, TABLES } from '../domain/retention/retainDays.ts'
import { recordEvents } from '../domain/webhook/recordEvents.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { giveKeyOf, testOrganization } from '../test/support/ask.ts'
import { countEvents } from '../test/support/countEvents.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { percentile } from '../test/support/percentile.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { gets, measure, measureMaximum } from './measure.ts'

/**
 * Measures the event log of an organization with a million events in 90 days, at half of the maximum rate of 16 connections,
 * how long recording takes, and how long a day is dropped while readers read: `node bench/events.ts [events]` ends with 1 if
 * a bound is broken.
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000)
const P99_MS = { first: 30, other: 50 }
const DROP_MS = 1_000
const FIRST_PAGE = 'the first page'
const DAYS = 90
const DAY = 86_400
/** The begin of the oldest day. */
const FIRST_SECOND = (Math.floor(Date.now() / 1_000 / DAY) - DAYS + 1) * DAY
/** From one event to the next one. */
const STEP = ((DAYS - 1) * DAY) / EVENTS
/** One event in so many is of the rare type, and has a delivery. */
const RARE = 5_000
const ENDPOINT = '8c0b5b9e-1d0c-4d8e-9d55-6f0a53c43c11'
const RATES_OF = `1:${getAddress(`0x${'ab'.repeat(20)}`)}`
const ms = (value: number) => value.toFixed(1)
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startBenchPostgres()
try {
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const apis = await startApiReplicas(postgres.url, [{ RATE_LIMITS: 'off' }])
  const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
  try {
    const [api] = apis.replicas
    if (!api) throw new Error('one replica was started')
    await giveKeyOf(api.url, postgres.url, apis.appSecret)
    const { id: organizationId } = await testOrganization(sql)
    await seed(sql, organizationId)
    await printSizes(sql)
    await printRecording(sql, organizationId)
    for (const [name, paths] of casesOf()) {
      const { maximum, p50, p99, max } = await measure({
        name,
        port: api.port,
        requests: gets(paths),
      })
      const most = name === FIRST_PAGE ? P99_MS.first : P99_MS.other
      const verdict = p99 <= most ? 'holds ' : 'BROKEN'
      print(
        `${verdict} ${name.padEnd(36)} ${maximum.toFixed(0).padStart(5)}/s   at half of it, ms: p50 ${ms(p50)}  p99 ${ms(p99)}  max ${ms(max)}   (p99 at most ${most})`,
      )
      if (p99 > most) process.exitCode = 1
    }
    await printDrops(sql, api.port)
  } finally {
    await sql.end()
    await apis.stop()
  }
} finally {
  await postgres.stop()
}

/** Prints the bytes on the disk of each event, delivery and attempt. */
async function printSizes(sql: Sql) {
  for (const table of ['event', 'webhook_delivery_ended', 'webhook_attempt']) {
    const [row] = await sql<{ bytes: bigint; rows: bigint }[]>`
      select sum(pg_total_relation_size(relid)) as bytes,
        sum((select reltuples from pg_class where oid = relid))::bigint as rows
      from pg_partition_tree(${`app.${table}`}) where isleaf`
    const { bytes = 0n, rows = 0n } = row ?? {}
    print(`       ${table.padEnd(36)} ${(Number(bytes) / Number(rows)).toFixed(0)} bytes a row`)
  }
}

/** The feed: a transaction that records a hundred events of resources that have some. */
async function printRecording(sql: Sql, organizationId: string) {
  const times: number[] = []
  for (let round = 0; round < 50; round += 1) {
    const startedAt = performance.now()
    await sql.begin((transaction) =>
      recordEvents(
        transaction,
        Array.from({ length: 100 }, (_, index) => ({
          organizationId,
          resource: `transit_order:${orderId(round * 100 + index)}`,
          type: 'transit.order.executed' as const,
          name: `bench ${round}`,
          fields: {},
        })),
      ),
    )
    times.push(performance.now() - startedAt)
  }
  print(
    `       ${'a hundred events recorded'.padEnd(36)} ms: p50 ${ms(percentile(times, 0.5))}  max ${ms(Math.max(...times))}`,
  )
}

/** Five days of deliveries and of events are dropped, one a second, while 16 connections read pages of all days that are kept. */
async function printDrops(sql: Sql, port: number) {
  const requests = gets([
    '/v2/events?pageSize=100',
    '/v2/events?pageSize=100&filter=type%3Dtransit.*',
  ])
  const reading = measureMaximum({ name: 'readers', port, requests }, 12)
  const times: number[] = []
  let refused = 0
  for (let day = 1; times.length < 10; ) {
    await setTimeout(1_000)
    const before = sql`${new Date((FIRST_SECOND + day * DAY) * 1_000).toISOString().slice(0, 10)}::date`
    const drop = async (table: string) => {
      const startedAt = performance.now()
      while (await dropDay(sql, table, before)) times.push(performance.now() - startedAt)
    }
    // As the worker does: an event is needed as long as its delivery is kept.
    const isDropped = await drop(TABLES.deliveries)
      .then(() => drop(TABLES.events))
      .then(
        () => true,
        () => false,
      )
    if (isDropped) day += 1
    else refused += 1
  }
  const perSecond = await reading
  const longest = Math.max(...times)
  const verdict = longest <= DROP_MS ? 'holds ' : 'BROKEN'
  print(
    `${verdict} ${'a day is dropped'.padEnd(36)} ms: ${times.map(ms).join('  ')}, put off ${refused} times; readers meanwhile ${perSecond.toFixed(0)}/s   (at most ${DROP_MS})`,
  )
  if (longest > DROP_MS) process.exitCode = 1
}

function casesOf(): [string, string[]][] {
  const deliveries = `/v2/webhooks/endpoints/${ENDPOINT}/deliveries?pageSize=100`
  return [
    ...eventCases().map(([name, queries]): [string, string[]] => [
      name,
      queries.map((query) => `/v2/events?pageSize=100&${new URLSearchParams(query)}`),
    ]),
    ['deliveries', [deliveries]],
    ['dead deliveries', [`${deliveries}&filter=status%3DDEAD`]],
  ]
}

function eventCases(): [string, Record<string, string>[]][] {
  const places = Array.from({ length: 97 }, (_, index) => Math.floor((index * EVENTS) / 97))
  const rare = 'type = transit.order.removed'
  const each = (filter: string) => places.map((place) => ({ after: String(place), filter }))
  return [
    [FIRST_PAGE, [{}]],
    ['a page, anywhere', places.map((place) => ({ after: String(place) }))],
    [
      'from a time',
      places.map((place) => ({ startTime: String(FIRST_SECOND + Math.floor(place * STEP)) })),
    ],
    ['from now', [{ from: 'now' }]],
    ['a common type', each('type = smart_deposit.*')],
    ['a rare type', each(rare)],
    ['a rare type from the first event', [{ filter: rare }]],
    ['one order', places.map((place) => ({ filter: `resourceId = ${orderId(place)}` }))],
    ['a resource with many events', each(`resourceId = ${RATES_OF}`)],
    ['an endpoint', each(`endpointId = ${ENDPOINT}`)],
    ['a common type of an endpoint', each(`${rare} AND endpointId = ${ENDPOINT}`)],
    [
      'nothing that the next 500 are',
      each(`endpointId != ${ENDPOINT} AND (${rare} OR resourceId = 1:0x${'1'.repeat(40)})`),
    ],
  ]
}

function orderId(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`
}

/** Half of the events are of deposits, a tenth of one vault, the rest of orders; evenly in the days. One in four has a delivery. */
async function seed(sql: Sql, organizationId: string) {
  const firstDay = new Date(FIRST_SECOND * 1_000).toISOString().slice(0, 10)
  for (const table of ['app.event', 'app.webhook_delivery_ended', 'app.webhook_attempt'])
    await sql`
      select app.make_day(${table}::regclass, ${firstDay}::date + ahead)
      from generate_series(0, ${DAYS + 6}::integer) ahead`
  await sql`
    insert into app.webhook_endpoint (id, organization_id, url, event_types)
    values (${ENDPOINT}, ${organizationId}, 'https://example.com', '{*}')`
  await sql`
    insert into app.event (id, organization_id, organization_sequence, resource, resource_sequence,
      type, created_at, body)
    select 'evt_' || n, ${organizationId}, n, place.resource, n, place.type,
      to_timestamp(${FIRST_SECOND}::bigint + floor(n * ${STEP}::float8)),
      json_build_object('id', 'evt_' || n, 'type', place.type, 'sequence', n, 'padding', repeat('x', 600))
    from generate_series(1, ${EVENTS}::integer) n cross join lateral (
      select case when n % 10 = 0 then ${`vault:${RATES_OF}`} when n % 2 = 0
          then 'smart_deposit:0x' || lpad(to_hex(n / 8), 64, '0')
          else 'transit_order:0x' || lpad(to_hex(n / 8), 64, '0') end as resource,
        case when n % ${RARE} = 1 then 'transit.order.removed' when n % 2 = 0
          then 'smart_deposit.deposit.pending' else 'transit.order.submitted' end as type
    ) place`
  await sql`
    insert into app.event_sequence (organization_id, last, last_at)
    values (${organizationId}, ${EVENTS}, to_timestamp(${FIRST_SECOND + (DAYS - 1) * DAY}))`
  await sql`
    insert into app.webhook_delivery
      (endpoint_id, event_id, event_at, event_type, organization_sequence, resource, resource_sequence,
        status, attempts, ended_at, delivered_at)
    select ${ENDPOINT}, id, created_at, type, organization_sequence, resource, resource_sequence, 'delivered',
      1, created_at, created_at
    from app.event where type = 'transit.order.removed' or organization_sequence % 4 = 0`
  await sql`
    insert into app.webhook_attempt (endpoint_id, event_id, started_at, duration_ms, request_url,
      request_headers, response_status, response_body, is_response_body_truncated)
    select endpoint_id, event_id, ended_at, 20, 'https://example.com',
      json_build_object('padding', repeat('x', 450)), 200, 'ok', false
    from app.webhook_delivery`
  await countEvents(sql)
  await sql`vacuum analyze app.event_resource, app.event, app.webhook_delivery, app.webhook_attempt`
}
