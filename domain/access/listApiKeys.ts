import type { Fragment } from 'postgres'
import type { SharedContext, SharedServices } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type Quotas, readQuotas } from '../limits/readQuotas.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageOfRows } from '../page/pageOfRows.ts'
import { type ApiKey, KEY_STATUSES, keyCreator, keyStatus, selectKeys } from './apiKey.ts'
import { PERMISSIONS } from './permissions.ts'
import { requirePermission } from './requirePermission.ts'

/** A key with the quotas of its tier. */
export type LimitedKey = ApiKey & { limits: Quotas }
export type ApiKeyPage = { apiKeys: LimitedKey[]; nextPageToken: string | null }

type Cursor = [createdAt: string, publicId: string]
type Row = ApiKey & { place: string }

/** The keys of the list's filter. */
export const API_KEY_FILTER_KEYS = {
  publicId: { type: 'string' },
  name: { type: 'string' },
  status: { type: 'enum', values: KEY_STATUSES },
  permission: { type: 'enum', values: PERMISSIONS },
  createdBy: { type: 'string' },
} as const satisfies FilterKeys

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function apiKeyQuery(
  context: Pick<SharedContext, 'appSecret' | 'caller'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, {
    list: 'apiKeys',
    keys: API_KEY_FILTER_KEYS,
    params,
    bound: [context.caller?.organizationId ?? null],
  })
}

/** The keys of the caller's organization, the newest first. Throws what its query throws. */
export async function listApiKeys(context: SharedContext, params: ListParams): Promise<ApiKeyPage> {
  const query = apiKeyQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'keys')
  const rows = await selectPage(context, query, organizationId)
  const { items, nextPageToken } = pageOfRows(
    context,
    query,
    rows,
    ({ place, publicId }): Cursor => [place, publicId],
  )
  return { apiKeys: await withLimits(context, items), nextPageToken }
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

function selectPage(
  context: SharedContext,
  { filter, cursor, pageSize }: ListQuery<Cursor>,
  organizationId: string,
): Promise<Row[]> {
  // A prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null ? context.sql : context.adHocSql
  const after: Fragment = cursor
    ? sql`(k.created_at, k.public_id) < (${cursor[0]}::timestamptz, ${cursor[1]})`
    : sql`true`
  const condition = filter
    ? filterToSql(sql, filter, {
        publicId: sql`k.public_id`,
        name: sql`k.name`,
        status: keyStatus(sql),
        createdBy: keyCreator(sql),
        permission: (operator, value) => {
          const has = sql`${String(value)} = any(k.permissions)`
          return operator === '=' ? has : sql`not ${has}`
        },
      })
    : sql`true`
  return sql<Row[]>`
    select *, "createdAt"::text as place from (
      ${selectKeys(sql)}
      where k.organization_id = ${organizationId} and ${condition} and ${after}
      order by k.created_at desc, k.public_id desc limit ${pageSize + 1}
    ) page order by "createdAt" desc, "publicId" desc`
}
