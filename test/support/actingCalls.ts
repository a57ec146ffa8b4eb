import { randomBytes, randomUUID } from 'node:crypto'
import type { Route } from '../../api/rest/route.ts'
import { routes } from '../../api/rest/routes.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { rootField } from '../../schema/rootField.ts'
import type { TestApi } from './api.ts'
import { ask, testOrganization } from './ask.ts'
import { insertRetained } from './smartDeposits.ts'

type Variables = Record<string, unknown>
/** A request that changes something, over either door. */
export type ActingRequest = { method: string; path: string; body: string | null }

/** The routes of everything that acts. */
export const actingRoutes = routes.filter(({ field }) => rootField(field).operation === 'mutation')

/** The request of a route over REST. */
export function overRest(route: Route, variables: Variables): ActingRequest {
  const rest = { ...variables }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(variables[name]))
  })
  const body = route.method === 'DELETE' ? null : JSON.stringify(rest)
  return { method: route.method, path, body }
}

/** The same over GraphQL. */
export function overGraphql(route: Route, variables: Variables): ActingRequest {
  const body = JSON.stringify({ query: route.document, variables })
  return { method: 'POST', path: '/graphql', body }
}

/** Sends a request with the API's default key and these headers. */
export function send(
  { url }: Pick<TestApi, 'url'>,
  { method, path, body }: ActingRequest,
  headers: Record<string, string> = {},
): Promise<Response> {
  const type = body === null ? {} : { 'content-type': 'application/json' }
  return ask(url + path, { method, body, headers: { ...type, ...headers } })
}

const unique = () => randomBytes(6).toString('hex')

/** Makes the things that each operation acts on; returns the variables of a call that changes exactly one thing. */
export function actingCalls(api: TestApi): Record<string, () => Promise<Variables>> {
  const { sql } = api.context
  async function made(operationId: string, variables: Variables): Promise<Variables> {
    const route = actingRoutes.find((one) => one.operationId === operationId)
    if (!route) throw new Error(`no operation ${operationId}`)
    const response = await send(api, overRest(route, variables))
    if (!response.ok) throw new Error(`${operationId}: ${await response.text()}`)
    return response.json() as Promise<Variables>
  }
  const idIn = (member: unknown, name = 'id') => (member as Variables)[name]
  const newEndpoint = async () => ({
    url: 'http://127.0.0.1:9/hooks',
    eventTypes: ['*'],
    filter: '',
  })
  const newKey = async () => ({ name: unique(), permissions: ['webhooks'] })
  const newInvitation = async () => ({ email: `${unique()}@acme.example`, role: 'VIEWER' })
  const endpoint = async () => {
    const { endpoint: created } = await made('createWebhookEndpoint', await newEndpoint())
    return { endpointId: idIn(created) }
  }
  const apiKey = async () => {
    const { apiKey: created } = await made('createApiKey', await newKey())
    return { publicId: idIn(created, 'publicId') }
  }
  const member = async () => {
    const userId = unique()
    const { id } = await testOrganization(sql)
    await sql`
      insert into app.console_user (id, name, email) values (${userId}, 'Ada', ${`${userId}@acme.example`})`
    await sql`
      insert into app.organization_member (organization_id, user_id, role) values (${id}, ${userId}, 'viewer')`
    return { userId }
  }
  return {
    createApiKey: newKey,
    renameApiKey: async () => ({ ...(await apiKey()), name: unique() }),
    rotateApiKey: async () => ({ ...(await apiKey()), overlapSeconds: 0 }),
    revokeApiKey: apiKey,
    inviteMember: newInvitation,
    revokeInvitation: async () => {
      const { invitation } = await made('inviteMember', await newInvitation())
      return { invitationId: idIn(invitation) }
    },
    changeMemberRole: async () => ({ ...(await member()), role: 'DEVELOPER' }),
    removeMember: member,
    createOrganization: async () => ({ name: unique() }),
    updateOrganization: async () => {
      const { organization } = await made('createOrganization', { name: unique() })
      return { organizationId: idIn(organization), name: unique() }
    },
    stopTransitRoute: async () => ({ reason: unique() }),
    openTransitRoute: async () => {
      await made('stopTransitRoute', { reason: unique() })
      return {}
    },
    createWebhookEndpoint: newEndpoint,
    updateWebhookEndpoint: async () => ({ ...(await endpoint()), description: unique() }),
    deleteWebhookEndpoint: endpoint,
    rotateWebhookSecret: endpoint,
    pingWebhookEndpoint: endpoint,
    testWebhookEndpoint: async () => ({ ...(await endpoint()), type: 'vault.paused' }),
    startWebhookReplay: async () => ({ ...(await endpoint()), after: '0' }),
    cancelWebhookReplay: async () => {
      const place = await endpoint()
      await made('startWebhookReplay', { ...place, after: '0' })
      return place
    },
    redeliverWebhook: async () => {
      const place = await endpoint()
      return { ...place, eventId: (await made('pingWebhookEndpoint', place)).eventId }
    },
    refundSmartDeposit: async () => ({
      depositId: await insertRetained(sql, [(await testOrganization(sql)).id]),
    }),
    registerSmartDepositAddress: async () => ({
      userDestinationAddress: userAt(0).address,
      vaultAddress: vaultDeployment('Harbor Dollar', 1).vault,
      inputToken: DEPLOYMENT.tokens.USDC,
      chainId: 1,
      customerId: randomUUID(),
    }),
  }
}

/** Every acting call adds one row to exactly one of these tables. */
export async function countEffects({ context: { sql } }: TestApi): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select ((select count(*) from app.audit) + (select count(*) from app.event)
      + (select count(*) from app.smart_deposit_registration))::integer as count`
  return row?.count ?? 0
}

/** Keeps the tests below the most endpoints and keys of an organization. */
export async function clearOrganization({ context: { sql } }: TestApi): Promise<void> {
  const { id } = await testOrganization(sql)
  await sql`delete from app.webhook_endpoint where organization_id = ${id}`
  await sql`update app.api_key set revoked_at = now() where organization_id = ${id} and created_by like 'key:%'`
}
