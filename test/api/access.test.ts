import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareOperation } from '../../api/graphql/prepareOperation.ts'
import { routes } from '../../api/rest/routes.ts'
import { formatKey, parseKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import { createKey, revokeKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { PERMISSIONS, type Permission } from '../../domain/access/permissions.ts'
import { REASONS, type Reason } from '../../domain/error/reason.ts'
import { schema } from '../../schema/schema.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { createTestKey } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { sampleVariables } from '../support/sampleVariables.ts'

/** The expected permissions: every path and field, over REST and GraphQL, with every kind of key. */

type Need = Permission | 'open' | 'ignores keys'

/** By path, with the method if it is not GET. */
const PATHS: Record<string, Need> = {
  '/v1/access/apiKeys': 'keys',
  'POST /v1/access/apiKeys': 'keys',
  'PATCH /v1/access/apiKeys/{publicId}': 'keys',
  'POST /v1/access/apiKeys/{publicId}/revoke': 'keys',
  'POST /v1/access/apiKeys/{publicId}/rotate': 'keys',
  '/v1/access/requestLog': 'keys',
  '/v1/access/usage': 'keys',
  '/health': 'ignores keys',
  '/ready': 'ignores keys',
  '/v1/core/capabilities': 'open',
  '/v1/core/chains': 'open',
  '/v1/core/tokens': 'open',
  '/v1/protocol/withdraw-assets': 'open',
  '/v1/transit/orders': 'open',
  '/v1/transit/orders/quote': 'open',
  '/v1/transit/orders/{orderId}': 'open',
  '/v1/transit/routeApprovals': 'open',
  '/v1/transit/routes': 'open',
  '/v1/transit/submissions': 'open',
  '/v1/transit/stats': 'open',
  '/v3/core/authorization': 'open',
  '/v2/core/authorization': 'earn:prepare',
  '/v2/earn/activity': 'earn:read',
  '/v2/earn/calculateWithdrawalFee': 'earn:read',
  '/v2/earn/deposit': 'earn:prepare',
  '/v2/earn/journeys': 'smart-deposits',
  '/v2/earn/journeys/{id}': 'smart-deposits',
  '/v2/earn/journeys/quote': 'smart-deposits',
  '/v2/earn/liquidityShortfalls': 'earn:read',
  '/v2/earn/smartDepositAddresses': 'smart-deposits',
  'POST /v2/earn/smartDepositAddresses': 'smart-deposits',
  '/v2/earn/smartDeposits': 'smart-deposits',
  '/v2/earn/smartDeposits/withdrawal': 'smart-deposits',
  '/v2/earn/smartDeposits/{depositId}': 'smart-deposits',
  'POST /v2/earn/smartDeposits/{depositId}/refund': 'smart-deposits:refund',
  '/v2/earn/supplyCaps': 'earn:read',
  '/v2/earn/userPositions': 'earn:read',
  '/v2/earn/vaultApys': 'earn:read',
  '/v2/earn/vaultAssets': 'earn:read',
  '/v2/earn/vaultCompositions': 'earn:read',
  '/v2/earn/vaultTvls': 'earn:read',
  '/v2/earn/vaults': 'earn:read',
  '/v2/earn/withdraw': 'earn:prepare',
  '/v2/earn/withdraw/cancel': 'earn:prepare',
  '/v2/earn/withdrawalRequests': 'earn:read',
  '/v2/earn/withdrawalRequests/{id}': 'earn:read',
  '/v2/earn/withdrawalVolumes': 'earn:read',
  '/v2/events': 'webhooks',
  '/v2/webhooks/endpoints': 'webhooks',
  'POST /v2/webhooks/endpoints': 'webhooks',
  '/v2/webhooks/endpoints/{endpointId}': 'webhooks',
  'PATCH /v2/webhooks/endpoints/{endpointId}': 'webhooks',
  'DELETE /v2/webhooks/endpoints/{endpointId}': 'webhooks',
  '/v2/webhooks/endpoints/{endpointId}/deliveries': 'webhooks',
  '/v2/webhooks/endpoints/{endpointId}/deliveries/{eventId}/attempts': 'webhooks',
  'POST /v2/webhooks/endpoints/{endpointId}/deliveries/{eventId}/redeliver': 'webhooks',
  'POST /v2/webhooks/endpoints/{endpointId}/ping': 'webhooks',
  'POST /v2/webhooks/endpoints/{endpointId}/test': 'webhooks',
  '/v2/webhooks/endpoints/{endpointId}/figures': 'webhooks',
  '/v2/webhooks/endpoints/{endpointId}/replay': 'webhooks',
  'POST /v2/webhooks/endpoints/{endpointId}/replay': 'webhooks',
  'DELETE /v2/webhooks/endpoints/{endpointId}/replay': 'webhooks',
  'POST /v2/webhooks/endpoints/{endpointId}/rotate-secret': 'webhooks',
  '/v1/access/auditLog': 'members',
  '/v1/access/invitations': 'members',
  'POST /v1/access/invitations': 'members',
  'DELETE /v1/access/invitations/{invitationId}': 'members',
  '/v1/access/members': 'members',
  'PATCH /v1/access/members/{userId}': 'members',
  'DELETE /v1/access/members/{userId}': 'members',
  '/v1/admin/auditLog': 'admin',
  '/v1/admin/indexBuilds': 'admin',
  '/v1/admin/keepers': 'admin',
  '/v1/admin/operators': 'admin',
  '/v1/admin/organizations': 'admin',
  'POST /v1/admin/organizations': 'admin',
  'PATCH /v1/admin/organizations/{organizationId}': 'admin',
  '/v1/admin/organizations/{organizationId}/members': 'admin',
  'POST /v1/admin/transitRoutes/open': 'admin',
  'POST /v1/admin/transitRoutes/stop': 'admin',
  '/v1/admin/rehearsal': 'admin',
  '/v1/admin/transitStops': 'admin',
}

/** Fields that REST does not serve. */
const MORE_DOCUMENTS: Record<string, [document: string, need: Need]> = {
  _meta: ['{ _meta { chains { chainId } } }', 'open'],
  amplifySdkConfigs: ['{ amplifySdkConfigs { id } }', 'earn:read'],
}
const SUBSCRIPTIONS: Record<string, [document: string, need: Need]> = {
  journey: ['subscription ($id: Hash!) { journey(id: $id) { id } }', 'smart-deposits'],
  smartDeposit: [
    'subscription ($depositId: Hash!) { smartDeposit(depositId: $depositId) { status } }',
    'smart-deposits',
  ],
  transitOrder: ['subscription ($id: Hash!) { transitOrder(id: $id) { id } }', 'open'],
  withdrawalRequest: [
    'subscription ($id: WithdrawalRequestId!) { withdrawalRequest(id: $id) { id } }',
    'earn:read',
  ],
}

const nameOf = (method: string, path: string) => (method === 'GET' ? path : `${method} ${path}`)
function placeOf(name: string): { method: string; path: string } {
  const [method = '', path] = name.split(' ')
  return path === undefined ? { method: 'GET', path: method } : { method, path }
}

type Kind =
  | 'no key'
  | 'malformed'
  | 'wrong secret'
  | 'wrong public id'
  | 'revoked'
  | 'expired'
  | 'lacking permission'
  | 'right'
const KINDS: Kind[] = [
  ...(['no key', 'malformed', 'wrong secret', 'wrong public id', 'revoked', 'expired'] as const),
  ...(['lacking permission', 'right'] as const),
]
const INVALID = new Set<Kind>([
  'malformed',
  'wrong secret',
  'wrong public id',
  'revoked',
  'expired',
])

/** The specified refusal; null if the key allows the request. */
function refusalOf(need: Need, kind: Kind): Reason | null {
  if (need === 'ignores keys') return null
  if (INVALID.has(kind)) return 'UNAUTHENTICATED'
  if (need === 'open') return null
  if (kind === 'no key') return 'UNAUTHENTICATED'
  return kind === 'lacking permission' ? 'PERMISSION_DENIED' : null
}

let api: TestApi
let invalid: Record<string, string>
/** Keys by the one permission that they lack. */
let lacking: Record<string, string>
let right: string
beforeAll(async () => {
  api = await startTestApi()
  const { administrator } = api
  const { id: organizationId } = await createOrganization(administrator, 'Acme')
  const all = { organizationId, permissions: PERMISSIONS }
  const [revoked, expired, other] = await Promise.all([
    createKey(administrator, all),
    createKey(administrator, { ...all, expiresAt: new Date(Date.now() - 1) }),
    createKey(administrator, all),
  ])
  await revokeKey(administrator, revoked.publicId)
  const { publicId, secret } = parseKey(other.key)
  invalid = {
    malformed: other.key.slice(0, -1),
    'wrong secret': formatKey({ publicId, secret: randomKeyParts().secret }),
    'wrong public id': formatKey({ publicId: randomKeyParts().publicId, secret }),
    revoked: revoked.key,
    expired: expired.key,
  }
  right = other.key
  lacking = { open: await createTestKey(administrator, []) }
  for (const permission of PERMISSIONS)
    lacking[permission] = await createTestKey(
      administrator,
      PERMISSIONS.filter((held) => held !== permission),
    )
})
afterAll(() => api.stop())

function headersOf(need: Need, kind: Kind): Record<string, string> {
  if (kind === 'no key') return {}
  const key = kind === 'right' ? right : (invalid[kind] ?? lacking[need] ?? lacking.open ?? '')
  return { 'x-api-key': key }
}

type Failure = { code: number; details: { reason?: string; metadata?: object }[] }

function expectRefusal(failure: Failure | undefined, refusal: Reason, need: Need) {
  expect([failure?.code, failure?.details.at(-1)?.reason]).toEqual([REASONS[refusal].code, refusal])
  if (refusal === 'PERMISSION_DENIED')
    expect(failure?.details.at(-1)?.metadata).toEqual({ permission: need })
}

const cases = (needs: [string, Need][]) =>
  needs.flatMap(([name, need]) => KINDS.map((kind) => [name, kind, need] as const))

describe('REST', () => {
  test('default: every described path and every route is in the table', async () => {
    const file = new URL('../../docs/openapi.json', import.meta.url)
    const { paths } = JSON.parse(await readFile(file, 'utf8')) as { paths: object }
    const all = Object.keys(PATHS).toSorted()
    // GraphQL is checked field by field below.
    const graphqlPaths = ['/graphql', '/graphql/stream']
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      graphqlPaths.includes(path)
        ? []
        : Object.keys(methods).map((method) => nameOf(method.toUpperCase(), path)),
    )
    expect(described.toSorted()).toEqual(all)
    const served = routes.map(({ method, path }) => nameOf(method, path))
    expect([...served, '/health', '/ready'].toSorted()).toEqual(all)
  })

  test.each(cases(Object.entries(PATHS)))('behavior: %s, %s', async (name, kind, need) => {
    const { method, path } = placeOf(name)
    const url = api.url + path.replace('{orderId}', `0x${'1'.repeat(64)}`)
    const sent = method === 'GET' ? {} : { body: '{}' }
    const json = { 'content-type': 'application/json' }
    const headers = { ...headersOf(need, kind), ...(method === 'GET' ? {} : json) }
    const response = await fetch(url, { method, headers, ...sent })
    const body = (await response.json()) as { error: Failure }
    const refusal = refusalOf(need, kind)
    // The request lacks a parameter. Only a caller with the permission learns which one.
    if (refusal) expectRefusal(body.error, refusal, need)
    else expect([401, 403]).not.toContain(response.status)
    expect(undescribed(url, response.status, body, method.toLowerCase())).toEqual([])
  })

  test('behavior: the document shows the permission of each operation', async () => {
    const file = new URL('../../docs/openapi.json', import.meta.url)
    const { paths } = JSON.parse(await readFile(file, 'utf8')) as {
      paths: Record<
        string,
        Record<string, { security: object[]; responses: Record<string, { description: string }> }>
      >
    }
    for (const [name, need] of Object.entries(PATHS)) {
      const { method, path } = placeOf(name)
      const security = {
        'ignores keys': [],
        open: [{}, { apiKey: [] }],
      }[need as string] ?? [{ apiKey: [need] }]
      const described = paths[path]?.[method.toLowerCase()]
      expect([name, described?.security]).toEqual([name, security])
      const isRefusing = PERMISSIONS.includes(need as Permission)
      const refusals = described?.responses['403']?.description ?? ''
      expect([name, refusals.includes('PERMISSION_DENIED')]).toEqual([name, isRefusing])
    }
  })

  test('behavior: an unknown path is a 404 and another method a 405, for every caller', async () => {
    const status = async (path: string, method = 'GET') =>
      (await fetch(`${api.url}${path}`, { method })).status
    expect(await status('/v2/earn/nothing')).toBe(404)
    expect(await status('/v2/earn/vaults', 'DELETE')).toBe(405)
    expect(await status('/v2/earn/deposit', 'POST')).toBe(405)
    expect(await status('/v2/earn/vaults', 'HEAD')).toBe(401)
  })
})

const documents: Record<string, [document: string, need: Need]> = {
  ...Object.fromEntries(
    routes.map(({ method, path, document }) => {
      const name = nameOf(method, path)
      return [name, [document, PATHS[name] ?? 'open']]
    }),
  ),
  ...MORE_DOCUMENTS,
}
const needsOf = (table: typeof documents): [string, Need][] =>
  Object.entries(table).map(([name, [, need]]) => [name, need])

function post(path: string, query: string, headers: Record<string, string>) {
  return fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables: sampleVariables(query) }),
  })
}

describe('GraphQL', () => {
  test('default: every root field is asked for', () => {
    const asked = Object.values(documents).flatMap(([document]) => rootFields(document))
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    )
    expect([...new Set(asked)].toSorted()).toEqual(fields.toSorted())
    expect(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).toSorted()).toEqual(
      Object.keys(SUBSCRIPTIONS).toSorted(),
    )
  })

  test.each(cases(needsOf(documents)))(
    'behavior: as over REST, %s, %s',
    async (name, kind, need) => {
      const [query = ''] = documents[name] ?? []
      const response = await post('/graphql', query, headersOf(need, kind))
      const { errors } = (await response.json()) as { errors?: { extensions: Failure }[] }
      const failure = errors?.[0]?.extensions
      const refusal = refusalOf(need, kind)
      if (refusal) expectRefusal(failure, refusal, need)
      else expect([401, 403]).not.toContain(failure?.code)
    },
  )

  test('behavior: a field that is denied does not hide the others', async () => {
    const response = await post('/graphql', '{ vaults { nextPageToken } _meta { __typename } }', {})
    expect(await response.json()).toMatchObject({
      data: { vaults: null, _meta: { __typename: 'Meta' } },
      errors: [{ path: ['vaults'], extensions: { code: 401 } }],
    })
  })

  test('behavior: a name of ones own does not help', async () => {
    const query = '{ ...all } fragment all on Query { _meta: vaults { nextPageToken } }'
    const response = await post('/graphql', query, {})
    expect(await response.json()).toMatchObject({
      data: { _meta: null },
      errors: [{ extensions: { code: 401 } }],
    })
  })
})

describe('the stream', () => {
  test.each(cases(needsOf(SUBSCRIPTIONS)))('behavior: %s, %s', async (name, kind, need) => {
    const [query = ''] = SUBSCRIPTIONS[name] ?? []
    const response = await post('/graphql/stream', query, headersOf(need, kind))
    const refusal = refusalOf(need, kind)
    if (refusal && response.status === 200) expect(await response.text()).toContain(`"${refusal}"`)
    else if (refusal) {
      expectRefusal(((await response.json()) as { error: Failure }).error, refusal, need)
    } else {
      // The resource does not exist: an open stream sends nothing.
      expect(response.status).toBe(200)
      const first = await response.body?.getReader().read()
      expect(Buffer.from(first?.value ?? []).toString()).toBe(':\n\n')
    }
  })

  test('behavior: queries over it need the same', async () => {
    const text = await (await post('/graphql/stream', '{ vaults { nextPageToken } }', {})).text()
    expect(text).toContain('"UNAUTHENTICATED"')
  })
})

function rootFields(document: string): string[] {
  const { operation } = prepareOperation(document)
  return operation.selectionSet.selections.flatMap((selection) =>
    'name' in selection && selection.name ? [selection.name.value] : [],
  )
}
