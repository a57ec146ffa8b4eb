import type { Sql } from 'postgres'
import { getAddress } from 'viem'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { giveKeyOf, testOrganization } from '../test/support/ask.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { gets, measure } from './measure.ts'

/**
 * Measures the event log of an organization with a million events, at half of the maximum rate of 16 connections:
 * `node bench/events.ts [events]` ends with 1 if a bound is broken.
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000)
const P99_MS = 50
const FIRST_SECOND = 1_760_000_000
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
    await seed(sql, (await testOrganization(sql)).id)
    for (const [name, queries] of casesOf()) {
      const paths = queries.map((query) => `/v2/events?pageSize=100&${new URLSearchParams(query)}`)
      const { maximum, p50, p99, max } = await measure({
        name,
        port: api.port,
        requests: gets(paths),
      })
      const verdict = p99 <= P99_MS ? 'holds ' : 'BROKEN'
      print(
        `${verdict} ${name.padEnd(36)} ${maximum.toFixed(0).padStart(5)}/s   at half of it, ms: p50 ${ms(p50)}  p99 ${ms(p99)}  max ${ms(max)}   (p99 at most ${P99_MS})`,
      )
      if (p99 > P99_MS) process.exitCode = 1
    }
  } finally {
    await sql.end()
    await apis.stop()
  }
} finally {
  await postgres.stop()
}

function casesOf(): [string, Record<string, string>[]][] {
  const places = Array.from({ length: 97 }, (_, index) => Math.floor((index * EVENTS) / 97))
  const rare = 'type = transit.order.removed'
  const each = (filter: string) => places.map((place) => ({ after: String(place), filter }))
  return [
    ['a page, anywhere', places.map((place) => ({ after: String(place) }))],
    ['from a time', places.map((place) => ({ startTime: String(FIRST_SECOND + place) }))],
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

/** Half of the events are of deposits, a tenth of one vault, the rest of orders; a second apart. */
async function seed(sql: Sql, organizationId: string) {
  await sql`
    insert into app.webhook_endpoint (id, organization_id, url, event_types)
    values (${ENDPOINT}, ${organizationId}, 'https://example.com', '{*}')`
  await sql`
    insert into app.event (id, organization_id, organization_sequence, resource, resource_sequence,
      type, created_at, body)
    select 'evt_' || n, ${organizationId}, n, place.resource, n, place.type,
      to_timestamp(${FIRST_SECOND}::bigint + n),
      json_build_object('id', 'evt_' || n, 'type', place.type, 'sequence', n, 'padding', repeat('x', 600))
    from generate_series(1, ${EVENTS}::integer) n cross join lateral (
      select case when n % 10 = 0 then ${`vault:${RATES_OF}`} when n % 2 = 0
          then 'smart_deposit:0x' || lpad(to_hex(n / 8), 64, '0')
          else 'transit_order:0x' || lpad(to_hex(n / 8), 64, '0') end as resource,
        case when n % ${RARE} = 1 then 'transit.order.removed' when n % 2 = 0
          then 'smart_deposit.deposit.pending' else 'transit.order.submitted' end as type
    ) place`
  await sql`
    insert into app.event_sequence (organization_id, last) values (${organizationId}, ${EVENTS})`
  await sql`
    insert into app.webhook_delivery
      (endpoint_id, event_id, organization_sequence, resource, resource_sequence, status)
    select ${ENDPOINT}, id, organization_sequence, resource, resource_sequence, 'delivered'
    from app.event where type = 'transit.order.removed' or organization_sequence % 4 = 0`
  await sql`vacuum analyze app.event`
  await sql`vacuum analyze app.webhook_delivery`
}
