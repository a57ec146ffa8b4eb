import type { Fragment, ISql } from 'postgres'
import type { RateLimitTier } from '../limits/rateLimits.ts'
import type { Permission } from './permissions.ts'

export const KEY_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const
export type KeyStatus = (typeof KEY_STATUSES)[number]

/** A stored key: everything but its secret, which is stored nowhere. */
export type ApiKey = {
  publicId: string
  organizationId: string
  organization: string
  name: string
  permissions: Permission[]
  status: KeyStatus
  /** The organization's. */
  tier: RateLimitTier
  createdAt: Date
  /** `member:<id>`, `key:<public id>` or `operator`; null if it is not known. */
  createdBy: string | null
  /** The name of that member. */
  createdByName: string | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** To the minute. */
  lastUsedAt: Date | null
  /** Public ids: of the key that this one replaces, and of the newest that replaces this one. */
  rotatedFrom: string | null
  rotatedTo: string | null
}

/** The status of `app.api_key k` now. */
const keyStatus = (sql: ISql): Fragment => sql`
  case when k.revoked_at is not null then 'REVOKED'
    when k.expires_at <= now() then 'EXPIRED' else 'ACTIVE' end`

/** The maker of `app.api_key k`. The names of operators' accounts on their machines are not shown. */
const keyCreator = (sql: ISql): Fragment => sql`
  case when k.created_by like 'member:%' or k.created_by like 'key:%' then k.created_by
    when k.created_by is not null then 'operator' end`

/** A `select` of `ApiKey` rows without conditions, over `app.api_key k`. */
export const selectKeys = (sql: ISql): Fragment => sql`
  select k.public_id as "publicId", k.organization_id as "organizationId",
    o.name as organization, k.name, k.permissions, ${keyStatus(sql)} as status,
    o.rate_limit_tier as tier, k.created_at as "createdAt", ${keyCreator(sql)} as "createdBy",
    (select u.name from app.console_user u where 'member:' || u.id = k.created_by)
      as "createdByName",
    k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
    k.rotated_from as "rotatedFrom",
    (select n.public_id from app.api_key n where n.rotated_from = k.public_id
      order by n.created_at desc limit 1) as "rotatedTo"
  from app.api_key k join app.organization o on o.id = k.organization_id`
