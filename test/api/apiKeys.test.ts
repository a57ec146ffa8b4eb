import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAudit } from '../../domain/access/audit.ts'
import { parseKey } from '../../domain/access/keyFormat.ts'
import { createKey, MOST_LIVE_KEYS } from '../../domain/access/keys.ts'
import { createOrganization, setOrganization } from '../../domain/access/organizations.ts'
import { KEY_PERMISSIONS, type Permission } from '../../domain/access/permissions.ts'
import type { Role } from '../../domain/access/role.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { noteSecret } from '../support/handedOut.ts'
import {
  type Body,
  createKeyCalls,
  detailOf,
  fieldsOf,
  type Key,
  reasonOf,
} from '../support/keyCalls.ts'
import { testPageLaws } from '../support/pageLaws.ts'
import { signedInMember, withConsole } from '../support/signedInMember.ts'

/** An organization manages its own keys, over REST and GraphQL, with a key or as a member. */

const KEYS = '/v1/access/apiKeys'
let api: TestApi
let acme: string
let other: string
/** A key of Acme with all that a key can have, and one of another organization. */
let full: string
let stranger: string
beforeAll(async () => {
  api = await startTestApi({ console: withConsole })
  acme = (await createOrganization(api.administrator, 'Acme')).id
  other = (await createOrganization(api.administrator, 'Other')).id
  full = (await newKey(acme, KEY_PERMISSIONS)).key
  stranger = (await newKey(other, KEY_PERMISSIONS)).key
})
afterAll(() => api?.stop())

async function newKey(organizationId: string, permissions: readonly Permission[], name = 'a key') {
  const made = await createKey(api.administrator, { organizationId, permissions, name })
  noteSecret(parseKey(made.key).secret)
  return made
}

const member = (role: Role) => signedInMember(api, { organizationId: acme, role })
const asAcme = () => ({ 'x-causeway-organization': acme })

const call = createKeyCalls(() => ({ url: api.url, key: full }))
const works = async (secret: string) =>
  (await fetch(`${api.url}/v1/transit/routes`, { headers: { 'x-api-key': secret } })).status !== 401

describe('keys of an organization', () => {
  test('default: a member makes one, whose secret is in that answer only', async () => {
    const owner = await member('owner')
    const { body } = await owner.send(KEYS, {
      headers: asAcme(),
      body: { name: 'server', permissions: ['earn:read', 'webhooks', 'earn:read'] },
    })
    const { apiKey, secret } = body as unknown as Body // `send` knows no body.
    noteSecret(parseKey(secret).secret)
    expect(apiKey).toMatchObject({
      name: 'server',
      permissions: ['earn:read', 'webhooks'],
      status: 'ACTIVE',
      tier: 'STANDARD',
      limits: { reads: { limit: 3000, remaining: 3000, resetsAt: null } },
      createdBy: expect.stringMatching(/^member:/),
      createdByName: 'Ada',
      lastUsedAt: null,
      rotatedFrom: null,
    })
    expect(await works(secret)).toBe(true)
    const listed = await call(
      'GET',
      `${KEYS}?filter=${encodeURIComponent(`publicId = ${apiKey.publicId}`)}`,
    )
    expect(listed.body.apiKeys).toEqual([{ ...apiKey, lastUsedAt: expect.any(String) }])
    expect(JSON.stringify(listed.body)).not.toContain(parseKey(secret).secret)
    expect(listed.headers.get('cache-control')).toBe('private, no-cache')
    const audit = await listAudit(api.context.sql, { subject: apiKey.publicId, limit: 5 })
    expect(audit).toMatchObject([{ action: 'key.create', actor: apiKey.createdBy }])
  })

  test('behavior: a rotated key works for the overlap, and each names the other', async () => {
    const expiresAt = Math.floor(Date.now() / 1_000) + 86_400
    const made = await call('POST', KEYS, {
      body: { name: 'old', permissions: ['keys'], expiresAt },
    })
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { publicId } = made.body.apiKey
    const rotated = await call('POST', `${KEYS}/${publicId}/rotate`, {
      body: { overlapSeconds: 60 },
    })
    expect(rotated.headers.get('cache-control')).toBe('no-store')
    expect(rotated.body).toMatchObject({
      apiKey: {
        name: 'old',
        permissions: ['keys'],
        rotatedFrom: publicId,
        expiresAt: made.body.apiKey.expiresAt,
      },
      replaced: { publicId, status: 'ACTIVE', rotatedTo: rotated.body.apiKey.publicId },
    })
    const ends = Date.parse(String(rotated.body.replaced.expiresAt)) - Date.now()
    expect(ends).toBeGreaterThan(50_000)
    expect(ends).toBeLessThan(61_000)
    expect([await works(made.body.secret), await works(rotated.body.secret)]).toEqual([true, true])
    const at = parseKey(full).publicId
    expect(rotated.body.apiKey.createdBy).toBe(`key:${at}`)
    const made2 = await call('GET', `${KEYS}?filter=${encodeURIComponent(`createdBy = key:${at}`)}`)
    expect(made2.body.apiKeys.map(({ publicId: id }) => id)).toEqual([
      rotated.body.apiKey.publicId,
      publicId,
    ])
  })

  test('behavior: a key is renamed, revoked once, and cannot be rotated then', async () => {
    const { publicId, key } = await newKey(acme, [])
    const renamed = await call('PATCH', `${KEYS}/${publicId}`, { body: { name: 'b' } })
    expect(renamed.body.apiKey).toMatchObject({ name: 'b', createdBy: 'operator' })
    const revoked = await call('POST', `${KEYS}/${publicId}/revoke`, { body: {} })
    expect(revoked.body.apiKey).toMatchObject({ status: 'REVOKED', revokedAt: expect.any(String) })
    const again = await call('POST', `${KEYS}/${publicId}/revoke`, { body: {} })
    expect(again.body.apiKey.revokedAt).toBe(revoked.body.apiKey.revokedAt)
    expect(await works(key)).toBe(false)
    const rotate = await call('POST', `${KEYS}/${publicId}/rotate`, { body: {} })
    expect(reasonOf(rotate)).toEqual([400, 'API_KEY_ENDED'])
    const audit = await listAudit(api.context.sql, { subject: publicId, limit: 9 })
    expect(audit.map(({ action }) => action)).toEqual(['key.revoke', 'key.rename', 'key.create'])
  })

  test('behavior: GraphQL answers the same', async () => {
    const graphql = async (query: string) => {
      const response = await fetch(`${api.url}/graphql`, {
        method: 'POST',
        headers: { 'x-api-key': full, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      return ((await response.json()) as { data: Record<string, Record<string, unknown>> }).data
    }
    const fields = '{ publicId name status tier limits { graphql { limit } } createdBy rotatedTo }'
    const made = await graphql(
      `mutation { createApiKey(name: "g", permissions: []) { secret apiKey ${fields} } }`,
    )
    const { secret, apiKey } = made.createApiKey as { secret: string; apiKey: Key }
    noteSecret(parseKey(secret).secret)
    const filter = `publicId = ${apiKey.publicId}`
    const read = await graphql(`{ apiKeys(filter: "${filter}") { apiKeys ${fields} } }`)
    expect(read.apiKeys).toEqual({ apiKeys: [apiKey] })
    const rest = await call('GET', `${KEYS}?filter=${encodeURIComponent(filter)}`)
    expect(rest.body.apiKeys[0]).toMatchObject(apiKey)
  })
})

describe('refused', () => {
  test.each([
    ['half a character', 'a\ud800'],
    ['a change of direction', 'a\u202eb'],
    ['a line of its own', 'a\u2028b'],
    ['a control character', 'a\u0007'],
  ])('error: a name with %s, in a new key, a rename, and GraphQL', async (_, name) => {
    const { publicId } = await newKey(acme, [])
    const made = await call('POST', KEYS, { body: { name, permissions: [] } })
    const renamed = await call('PATCH', `${KEYS}/${publicId}`, { body: { name } })
    expect([made.status, fieldsOf(made)]).toEqual([400, ['name']])
    expect([renamed.status, fieldsOf(renamed)]).toEqual([400, ['name']])
    const query = `mutation ($name: String!) { createApiKey(name: $name, permissions: []) { secret } }`
    const { status, body } = await call('POST', '/graphql', {
      body: { query, variables: { name } },
    })
    expect(JSON.stringify([status, body])).toContain('INVALID_FIELD')
    await expect(createOrganization(api.administrator, name)).rejects.toThrow('one line')
  })

  test('error: a body that is nested as deep as it can be, with half a character within', async () => {
    const depth = 20_000
    const response = await fetch(`${api.url}${KEYS}`, {
      method: 'POST',
      headers: { 'x-api-key': full, 'content-type': 'application/json' },
      body: `{"name":${'['.repeat(depth)}"\\udfff"${']'.repeat(depth)}}`,
    })
    expect(fieldsOf({ body: (await response.json()) as never })).toEqual(['name'])
  })

  test('error: names everything that is wrong', async () => {
    const bad = await call('POST', KEYS, {
      body: { name: '', permissions: ['everything'], expiresAt: 1 },
    })
    expect(fieldsOf(bad).toSorted()).toEqual(['expiresAt', 'name', 'permissions.0'])
    for (const permission of ['members', 'admin']) {
      const answer = await call('POST', KEYS, { body: { name: 'a', permissions: [permission] } })
      expect(fieldsOf(answer)).toEqual(['permissions.0'])
    }
    const late = await call('POST', KEYS, {
      body: { name: 'a\u0000', permissions: [], expiresAt: 9_999_999_999_999 },
    })
    expect(fieldsOf(late).toSorted()).toEqual(['expiresAt', 'name'])
    const { publicId } = await newKey(acme, [])
    const long = await call('POST', `${KEYS}/${publicId}/rotate`, {
      body: { overlapSeconds: 604_801 },
    })
    expect(fieldsOf(long)).toEqual(['overlapSeconds'])
    const graphql = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': full, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation { a: createApiKey(name: "", permissions: ["admin"]) { secret }
          b: rotateApiKey(publicId: "${publicId}", overlapSeconds: -1) { secret } }`,
      }),
    })
    const { data, errors } = (await graphql.json()) as { data: object; errors: object[] }
    expect([data, errors.length]).toEqual([{ a: null, b: null }, 2])
  })

  test('error: permissions beyond those of the maker, by creation and by rotation', async () => {
    const { key } = await newKey(acme, ['keys', 'earn:read'])
    const more = await call('POST', KEYS, { key, body: { name: 'a', permissions: ['webhooks'] } })
    expect(reasonOf(more)).toEqual([403, 'PERMISSION_DENIED'])
    expect(detailOf(more)?.metadata).toEqual({ permission: 'webhooks' })
    const { publicId } = await newKey(acme, ['webhooks'])
    const taken = await call('POST', `${KEYS}/${publicId}/rotate`, { key, body: {} })
    expect(reasonOf(taken)).toEqual([403, 'PERMISSION_DENIED'])
    const same = await call('POST', KEYS, { key, body: { name: 'a', permissions: ['earn:read'] } })
    expect(same.status).toBe(200)
  })

  test("error: a developer's key has no permission of an owner alone", async () => {
    const developer = await member('developer')
    const { publicId } = await newKey(acme, ['members'])
    const headers = asAcme()
    const taken = await developer.send(`${KEYS}/${publicId}/rotate`, { headers, body: {} })
    expect([taken.status, JSON.stringify(taken.body)]).toEqual([
      403,
      expect.stringContaining('PERMISSION_DENIED'),
    ])
    const made = await developer.send(KEYS, { headers, body: { name: 'd', permissions: ['keys'] } })
    const { secret } = made.body as unknown as Body // `send` knows no body.
    noteSecret(parseKey(secret).secret)
    expect(made.status).toBe(200)
  })

  test("error: another organization's key is not found, and not listed", async () => {
    const { publicId } = await newKey(acme, [])
    const before = await listAudit(api.context.sql, { subject: publicId, limit: 9 })
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'mine' }],
      ['POST', '/rotate', {}],
      ['POST', '/revoke', {}],
    ] as const)
      for (const id of [publicId, 'none', '%00', 'x'.repeat(300)]) {
        const answer = await call(method, `${KEYS}/${id}${path}`, { body, key: stranger })
        expect(reasonOf(answer)).toEqual([404, 'API_KEY_NOT_FOUND'])
      }
    expect(await listAudit(api.context.sql, { subject: publicId, limit: 9 })).toEqual(before)
    const listed = await call('GET', `${KEYS}?pageSize=100`, { key: stranger })
    expect(listed.body.apiKeys.map((key) => key.publicId)).toEqual([parseKey(stranger).publicId])
    const filter = encodeURIComponent(`publicId = ${publicId}`)
    const named = await call('GET', `${KEYS}?filter=${filter}`, { key: stranger })
    expect(named.body.apiKeys).toEqual([])
    // A page token is of the organization that it was made for.
    const { body } = await call('GET', `${KEYS}?pageSize=1`)
    const token = encodeURIComponent(body.nextPageToken ?? '')
    const stolen = await call('GET', `${KEYS}?pageSize=1&pageToken=${token}`, { key: stranger })
    expect(reasonOf(stolen)).toEqual([400, 'INVALID_PAGE_TOKEN'])
  })

  test("error: a viewer's writes; a viewer reads", async () => {
    const viewer = await member('viewer')
    const { publicId } = await newKey(acme, [])
    const headers = asAcme()
    for (const [path, method, body] of [
      [KEYS, 'POST', { name: 'v', permissions: [] }],
      [`${KEYS}/${publicId}`, 'PATCH', { name: 'v' }],
      [`${KEYS}/${publicId}/rotate`, 'POST', {}],
      [`${KEYS}/${publicId}/revoke`, 'POST', {}],
    ] as const) {
      const answer = await viewer.send(path, { method, body, headers })
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        403,
        expect.stringContaining('PERMISSION_DENIED'),
      ])
    }
    for (const path of [KEYS, '/v1/access/usage', '/v1/access/requestLog'])
      expect((await viewer.send(path, { headers })).status).toBe(200)
  })

  test('error: a secret without a fresh proof; other changes need none', async () => {
    const owner = await member('owner')
    await api.context
      .sql`update app.console_session set authenticated_at = now() - interval '11 minutes'`
    const { publicId } = await newKey(acme, [])
    const headers = asAcme()
    for (const [path, body] of [
      [KEYS, { name: 'v', permissions: [] }],
      [`${KEYS}/${publicId}/rotate`, {}],
    ] as const) {
      const answer = await owner.send(path, { body, headers })
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        403,
        expect.stringContaining('REAUTHENTICATION_NEEDED'),
      ])
    }
    const revoked = await owner.send(`${KEYS}/${publicId}/revoke`, { body: {}, headers })
    expect(revoked.status).toBe(200)
  })

  test('error: more live keys than an organization may have', async () => {
    const { id } = await createOrganization(api.administrator, 'Full')
    const { key, publicId } = await newKey(id, ['keys'])
    const { sql } = api.context
    await sql`
      insert into app.api_key (public_id, organization_id, secret_hash, revoked_at, expires_at)
      select 'ended ' || n, ${id}, '', case when n % 2 = 0 then now() end, now() - interval '1 second'
      from generate_series(1, 200) n`
    await sql`
      insert into app.api_key (public_id, organization_id, secret_hash)
      select 'live ' || n, ${id}, '' from generate_series(1, ${MOST_LIVE_KEYS - 2}) n`
    const create = () => call('POST', KEYS, { key, body: { name: 'a', permissions: [] } })
    // Both at once: the second waits for the first, and counts it.
    const both = await Promise.all([create(), create()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const refused = await create()
    expect(reasonOf(refused)).toEqual([400, 'API_KEY_LIMIT'])
    expect(detailOf(refused)?.metadata).toEqual({ limit: String(MOST_LIVE_KEYS) })
    const rotate = (overlapSeconds: number) =>
      call('POST', `${KEYS}/${publicId}/rotate`, { key, body: { overlapSeconds } })
    expect(reasonOf(await rotate(60))).toEqual([400, 'API_KEY_LIMIT'])
    expect((await rotate(0)).status).toBe(200)
  })
})

describe('what is left of the quotas', () => {
  test('default: by the counts that all processes share; none without a limit', async () => {
    const { sql } = api.context
    const { id } = await createOrganization(api.administrator, 'Counted')
    const { key, publicId } = await newKey(id, ['keys'])
    const ends = Date.now() + 30_000
    await sql`
      insert into app.rate_limit (key, points, expire) values
        (${`reads:key:${publicId}`}, 1000, ${ends}), (${`graphql:key:${publicId}`}, 999999, ${ends}),
        (${`prepare:key:${publicId}`}, 5, ${Date.now() - 1})`
    const limits = async () => (await call('GET', KEYS, { key })).body.apiKeys[0]?.limits
    const resetsAt = new Date(ends).toISOString()
    expect(await limits()).toEqual({
      reads: { limit: 3_000, remaining: 2_000, resetsAt },
      graphql: { limit: 100_000, remaining: 0, resetsAt },
      prepare: { limit: 600, remaining: 600, resetsAt: null },
    })
    await setOrganization(api.administrator, id, { rateLimitTier: 'unlimited' })
    const none = { limit: null, remaining: null, resetsAt: null }
    expect(await limits()).toEqual({ reads: none, graphql: none, prepare: none })
  })
})

describe('the list', () => {
  let organizationId: string
  let key: string
  let rows: { publicId: string; at: number; isEnded: boolean }[] = []
  const keyId = () => parseKey(key).publicId

  async function add(publicId: string, at: number, isEnded = false) {
    await api.context.sql`
      insert into app.api_key (public_id, organization_id, name, secret_hash, created_at, revoked_at)
      values (${publicId}, ${organizationId}, 'listed', '', to_timestamp(${at / 1_000}::float8),
        ${isEnded ? new Date() : null})`
    rows.push({ publicId, at, isEnded })
  }
  beforeAll(async () => {
    organizationId = (await createOrganization(api.administrator, 'Listed')).id
    key = (await newKey(organizationId, ['keys'])).key
    rows = []
    // Three of one time.
    for (let index = 0; index < 18; index += 1)
      await add(
        `row${String(index).padStart(3, '0')}`,
        1_700_000_000_000 + Math.floor(index / 3),
        index % 4 === 0,
      )
  })
  let added = 0
  const list = (filter?: string) => async (page: { pageSize: number; pageToken?: string }) => {
    const query = new URLSearchParams({ pageSize: String(page.pageSize) })
    if (page.pageToken !== undefined) query.set('pageToken', page.pageToken)
    if (filter) query.set('filter', filter)
    const { status, body } = await call('GET', `${KEYS}?${query}`, { key })
    const keys = (body.apiKeys ?? []).map(({ publicId }) => publicId)
    const reason = body.error?.details.find((one) => one.reason)?.reason ?? null
    return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
  }
  const matching = () =>
    rows
      .filter(({ publicId }) => publicId !== keyId())
      .toSorted((a, b) => b.at - a.at || (a.publicId < b.publicId ? 1 : -1))
      .map(({ publicId }) => publicId)

  testPageLaws(() => ({
    fetch: list('name = listed'),
    matching,
    insert: async () => {
      added += 1
      await add(`first${String(added).padStart(3, '0')}`, 1_600_000_000_000 + added)
      await add(`last${String(added).padStart(3, '0')}`, 1_750_000_000_000 + added)
      await add(`within${String(added).padStart(3, '0')}`, 1_700_000_000_002)
    },
    others: {
      'no filter': list(),
      'another filter': list('name = listed AND status = ACTIVE'),
    },
  }))

  test('behavior: filters by status, permission and maker', async () => {
    const of = async (filter: string) => (await list(filter)({ pageSize: 100 })).keys.toSorted()
    const ended = rows.filter(({ isEnded }) => isEnded).map(({ publicId }) => publicId)
    expect(await of('status = REVOKED')).toEqual(ended.toSorted())
    expect(await of('permission = keys')).toEqual([keyId()])
    expect(await of('permission != keys AND createdBy = operator')).toEqual([])
    expect(await of('createdBy = operator')).toEqual([keyId()])
  })
})
