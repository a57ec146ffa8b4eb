import type { SharedContext, SharedServices } from '../context.ts'
import { type Quotas, readQuotas } from '../limits/readQuotas.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInSql } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import { type ApiKey, KEY_STATUSES, selectKeys } from './apiKey.ts'
import { PERMISSIONS } from './permissions.ts'
import { requirePermission } from './requirePermission.ts'

/** A key with the quotas of its tier. */
export type LimitedKey = ApiKey & { limits: Quotas }
export type ApiKeyPage = Page<'apiKeys', LimitedKey>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const apiKeyQuery = listQuery({
  list: 'apiKeys',
  keys: {
    publicId: { type: 'string' },
    name: { type: 'string' },
    status: { type: 'enum', values: KEY_STATUSES },
    permission: { type: 'enum', values: PERMISSIONS },
    createdBy: { type: 'string' },
  },
  isOwn: true,
})

/** The keys of the caller's organization, the newest first. Throws what its query throws. */
export async function listApiKeys(context: SharedContext, params: ListParams): Promise<ApiKeyPage> {
  const query = apiKeyQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'keys')
  const page = await pageInSql<'apiKeys', ApiKey>(context, query, {
    name: 'apiKeys',
    rows: (sql) => sql`${selectKeys(sql)} where k.organization_id = ${organizationId}`,
    order: { createdAt: 'timestamptz', publicId: 'text' },
    columns: (sql) => ({
      permission: (operator, value) =>
        sql`(${String(value)} = any(r.permissions)) = ${operator === '='}`,
    }),
  })
  return { ...page, apiKeys: await withLimits(context, page.apiKeys) }
}

/** Adds what is left of the keys' quotas now. */
export async function withLimits<Key extends ApiKey>(
  { sql }: Pick<SharedServices, 'sql'>,
  keys: Key[],
): Promise<(Key & { limits: Quotas })[]> {
  const quotas = await readQuotas(sql, keys)
  return keys.map((key) => {
    const limits = quotas.get(key.publicId)
    if (!limits) throw new Error('Invariant(listApiKeys): a key without quotas')
    return { ...key, limits }
  })
}
