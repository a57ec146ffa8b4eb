import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { testOrganization } from '../support/ask.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { getJson } from '../support/getJson.ts'
import { type PagedList, type PageFetcher, testPageLaws } from '../support/pageLaws.ts'

/** The lists of members and operators: the rules of every paged list, and the same answer over REST and GraphQL. */

const LIST = { filter: 'String', pageSize: 'Int!', pageToken: 'String' }
const MEMBER = 'userId email name role isOperator hasSecondFactor joinedAt'
const ACTION = 'id createdAt actor actorName action subject organizationId details'
const FIELDS = {
  members: {
    path: '/v1/access/members',
    field: 'members',
    selection: `{ members { ${MEMBER} } nextPageToken }`,
    types: LIST,
  },
  invitations: {
    path: '/v1/access/invitations',
    field: 'invitations',
    selection: `{ invitations { id email role isOperator status invitedBy createdAt expiresAt acceptedAt
      revokedAt } nextPageToken }`,
    types: LIST,
  },
  auditLog: {
    path: '/v1/access/auditLog',
    field: 'auditLog',
    selection: `{ actions { ${ACTION} } nextPageToken }`,
    types: { ...LIST, startTime: 'UnixTime', endTime: 'UnixTime' },
  },
  completeAuditLog: {
    path: '/v1/admin/auditLog',
    field: 'completeAuditLog',
    selection: `{ actions { ${ACTION} } nextPageToken }`,
    types: { ...LIST, startTime: 'UnixTime', endTime: 'UnixTime' },
  },
  organizations: {
    path: '/v1/admin/organizations',
    field: 'organizations',
    selection: `{ organizations { id name rateLimitTier defaultDistributorCode slippageBps
      settleOnSubmit requiresSecondFactor memberCount keyCount createdAt } nextPageToken }`,
    types: LIST,
  },
  operators: {
    path: '/v1/admin/operators',
    field: 'operators',
    selection: `{ members { ${MEMBER} } nextPageToken }`,
    types: LIST,
  },
  transitStops: {
    path: '/v1/admin/transitStops',
    field: 'transitStops',
    selection: `{ stops { sourceChainId offerAsset destinationChainId wantAsset reason actor stoppedAt }
      nextPageToken }`,
    types: LIST,
  },
  indexBuilds: {
    path: '/v1/admin/indexBuilds',
    field: 'indexBuilds',
    selection: `{ indexBuilds { chainId postgresSchema buildHash state block head isReady createdAt servedAt
      rebuildReason error } nextPageToken }`,
    types: LIST,
  },
  keepers: {
    path: '/v1/admin/keepers',
    field: 'keepers',
    selection: `{ keepers { chainId accounts { account balance nonce } isRunning hold spentToday spentThisHour
      maxSpendPerHour pendingCount retainedCount openTransactionCount foreignTransferCount unplacedTransferCount unscreenedPaymentCount unpaidConversionCount
      unexplainedBalanceCount lagSeconds failing oldestWaitingAt
      block updatedAt } nextPageToken }`,
    types: LIST,
  },
} as const satisfies Record<string, Field>

const COUNT = 17
const FIRST = 5_000
let api: TestApi
let organizationId: string
/** The places of the rows of every list, in the order in which they were added. */
const added: number[] = []
beforeAll(async () => {
  api = await startTestApi()
  organizationId = (await testOrganization(api.context.sql)).id
})
afterAll(() => api?.stop())

/** Each list is walked with the same rows: what the walks before it added is gone. */
async function startAnew() {
  const { sql } = api.context
  await sql`delete from app.organization_member where role = 'viewer'`
  await sql`delete from app.console_user where email like '%@example.org'`
  await sql`delete from app.console_invitation`
  await sql`delete from app.organization where name like '%@example.org'`
  await sql`delete from app.audit where actor = 'test'`
  await sql`delete from app.transit_pause`
  added.length = 0
  for (let index = 0; index < COUNT; index += 1) await add(FIRST + index * 10)
}

const emailOf = (place: number) => `m${place}@example.org`

/** A row of every list at this place. */
async function add(place: number) {
  const { sql } = api.context
  const at = new Date(Date.UTC(2026, 0, 1) + place * 1_000)
  const email = emailOf(place)
  await sql`
    insert into app.console_user (id, name, email, is_operator)
    values (${email}, 'A', ${email}, true)`
  await sql`
    insert into app.organization_member (organization_id, user_id, role)
    values (${organizationId}, ${email}, 'viewer')`
  await sql`
    insert into app.console_invitation
      (organization_id, email, role, token_hash, invited_by, expires_at, created_at)
    values (${organizationId}, ${email}, 'viewer', ${Buffer.from(email)}, 'test', now(), ${at})`
  await sql`insert into app.organization (name) values (${email})`
  await sql`
    insert into app.audit (actor, action, subject, organization_id)
    values ('test', 'webhook.change', ${email}, ${organizationId})`
  await sql`
    insert into app.transit_pause (route, reason, actor, paused_at)
    values (${`1:0x${'a1'.repeat(20)}>${place}:0x${'b2'.repeat(20)}`}, ${email}, 'test', ${at})`
  added.push(place)
}

let turns = 0
/** Rows before the first, between two, and after the last. */
async function addEverywhere() {
  turns += 1
  for (const place of [FIRST - turns, FIRST + turns * 10 + 5, 9_000 + turns]) await add(place)
}

type Row = Record<string, unknown>

function fetcher(path: string, key: string, query: Record<string, string> = {}): PageFetcher {
  return async (page) => {
    const parameters = Object.entries({ ...page, ...query }).map(([name, value]) => [
      name,
      String(value),
    ])
    const { status, body, reason } = await getJson<Row>(
      `${api.url}${path}?${new URLSearchParams(Object.fromEntries(parameters))}`,
    )
    const rows = (Object.values(body).find(Array.isArray) ?? []) as Row[]
    const keys = rows.map((row) => String(row[key]))
    return { status, reason, keys, nextPageToken: body.nextPageToken }
  }
}

const sorted = () => added.toSorted((left, right) => left - right)

const LISTS: [name: string, key: string, filter: string, order: () => number[]][] = [
  ['members', 'email', 'role != OWNER', sorted],
  ['operators', 'email', 'email != nobody', sorted],
  ['invitations', 'email', 'status != OPEN', () => sorted().reverse()],
  ['organizations', 'name', 'name != Tests', sorted],
  ['auditLog', 'subject', 'action = webhook.change', () => added.toReversed()],
  ['completeAuditLog', 'subject', 'action = webhook.change', () => added.toReversed()],
  ['transitStops', 'reason', 'sourceChainId = 1', sorted],
]

describe.each(LISTS)('%s', (name, key, filter, order) => {
  const { path } = FIELDS[name as keyof typeof FIELDS]
  beforeAll(startAnew)
  testPageLaws(
    (): PagedList => ({
      fetch: fetcher(path, key, { filter }),
      matching: () => order().map(emailOf),
      insert: addEverywhere,
      others: { 'without a filter': fetcher(path, key) },
    }),
  )
})

test.each(Object.keys(FIELDS) as (keyof typeof FIELDS)[])(
  'behavior: %s answers the same over REST and GraphQL',
  async (name) => {
    const wrong = { pageSize: 0, pageToken: 'abc', filter: 'colour = red' }
    for (const [variables, status] of [
      [{ pageSize: 3 }, 200],
      [wrong, 400],
    ] as const) {
      const { rest, graphql } = await askBothDoors(api.url, FIELDS[name], variables)
      expect([rest.status, rest.body]).toEqual([status, rest.body])
      expect(graphql).toEqual(rest)
    }
  },
)
