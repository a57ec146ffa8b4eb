import type { Sql } from 'postgres'
import { formatKey, randomKeyParts } from './keyFormat.ts'
import { secretHash } from './secretHash.ts'

export type KeyContext = { sql: Sql; appSecret: Uint8Array }

export type CreateKeyParams = {
  organizationId: string
  name?: string | undefined
  /** Never, when absent. */
  expiresAt?: Date | undefined
}

/** `key` is the clear key: shown now, kept nowhere. */
export type CreatedKey = { key: string; publicId: string; expiresAt: Date | null }

export type ListedKey = {
  publicId: string
  organization: string
  name: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** To the minute. */
  lastUsedAt: Date | null
}

/** A new key of an organization that exists. */
export async function createKey(
  { sql, appSecret }: KeyContext,
  { organizationId, name = '', expiresAt }: CreateKeyParams,
): Promise<CreatedKey> {
  const parts = randomKeyParts()
  await sql`
    insert into app.api_key (public_id, organization_id, name, secret_hash, expires_at)
    values (${parts.publicId}, ${organizationId}, ${name}, ${secretHash(parts, appSecret)},
      ${expiresAt ?? null})`
  return { key: formatKey(parts), publicId: parts.publicId, expiresAt: expiresAt ?? null }
}

/** All keys, revoked and expired ones too, oldest first. */
export function listKeys(sql: Sql): Promise<ListedKey[]> {
  return sql<ListedKey[]>`
    select k.public_id as "publicId", o.name as organization, k.name, k.created_at as "createdAt",
      k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt"
    from app.api_key k join app.organization o on o.id = k.organization_id
    order by k.created_at, k.public_id`
}

/** Ends a key within 5 s on every process, for good; false when there is none of this public id. */
export async function revokeKey(sql: Sql, publicId: string): Promise<boolean> {
  const revoked = await sql`
    update app.api_key set revoked_at = coalesce(revoked_at, now()) where public_id = ${publicId}
    returning 1`
  return revoked.length > 0
}
