import { requirePermission } from '../access/requirePermission.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import type { Page } from '../page/pageOfRows.ts'
import { endpointColumns, type WebhookEndpoint } from './endpoint.ts'
import type { WebhookContext } from './webhookContext.ts'

export type WebhookEndpointPage = Page<'webhookEndpoints', WebhookEndpoint>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const endpointQuery = listQuery({
  list: 'webhookEndpoints',
  keys: {
    status: { type: 'enum', values: ['ENABLED', 'DISABLED'] },
  },
})

/** The endpoints of the caller's organization, oldest first. Throws what its query throws. */
export async function listEndpoints(
  context: WebhookContext,
  params: ListParams,
): Promise<WebhookEndpointPage> {
  const query = endpointQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'webhooks')
  const { sql } = context
  // In memory: an organization has at most fifty.
  const all = await sql<WebhookEndpoint[]>`
    select ${endpointColumns(sql)} from app.webhook_endpoint w
    where w.organization_id = ${organizationId}`
  const rows = all.filter(({ status }) =>
    matchesFilter(query.filter, { status: status.toUpperCase() }),
  )
  return pageInMemory(context, query, {
    name: 'webhookEndpoints',
    rows,
    place: ({ createdAt, id }) => [createdAt.toISOString(), id],
  })
}
