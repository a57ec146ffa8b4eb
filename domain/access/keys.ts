import type { ISql, Sql } from 'postgres'
import { AccessError } from './accessError.ts'
import { type Administrator, audited } from './audit.ts'
import { formatKey, randomKeyParts } from './keyFormat.ts'
import type { Permission } from './permissions.ts'
import { secretHash } from './secretHash.ts'

export type KeyContext = { sql: Sql; appSecret: Uint8Array }
export type KeyAdministrator = Administrator & { appSecret: Uint8Array }

export type CreateKeyParams = {
  organizationId: string
  name?: string | undefined
  /** Default: none, for requests that need no permission. */
  permissions?: readonly Permission[] | undefined
  /** Default: never. */
  expiresAt?: Date | null | undefined
}

/** `key` is the key in clear text, which is stored nowhere. */
export type CreatedKey = {
  key: string
  publicId: string
  permissions: Permission[]
  expiresAt: Date | null
}

export type ListedKey = {
  publicId: string
  organization: string
  name: string
  permissions: Permission[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** To the minute. */
  lastUsedAt: Date | null
}

/** A new key of an existing organization. */
export function createKey(
  administrator: KeyAdministrator,
  params: CreateKeyParams,
): Promise<CreatedKey> {
  return audited(administrator, async (transaction) => {
    const result = await insertKey(transaction, administrator.appSecret, params)
    const { organizationId, name = '' } = params
    const { publicId, permissions, expiresAt } = result
    const details = { organizationId, name, permissions, expiresAt }
    return { result, entry: { action: 'key.create', subject: publicId, details } }
  })
}

/** All keys, or those of one organization, including revoked and expired ones; the oldest first. */
export function listKeys(sql: Sql, organizationId: string | null = null): Promise<ListedKey[]> {
  return sql<ListedKey[]>`
    select k.public_id as "publicId", o.name as organization, k.name, k.permissions,
      k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      k.last_used_at as "lastUsedAt"
    from app.api_key k join app.organization o on o.id = k.organization_id
    where ${organizationId}::uuid is null or o.id = ${organizationId}
    order by k.created_at, k.public_id`
}

/** Revokes a key, within 5 s on every process. Throws `AccessError` for an unknown public id. */
export function revokeKey(administrator: Administrator, publicId: string): Promise<void> {
  return audited(administrator, async (transaction) => {
    const { revokedAt } = await lockKey(transaction, publicId)
    if (revokedAt) return { result: undefined, entry: null }
    await transaction`update app.api_key set revoked_at = now() where public_id = ${publicId}`
    return { result: undefined, entry: { action: 'key.revoke', subject: publicId } }
  })
}

export type RotateKeyParams = {
  /** How long the old key continues to work; default 0: it ends within 5 s. */
  overlapSeconds?: number | undefined
  /** The new key's expiry; default: the old key's. */
  expiresAt?: Date | undefined
}

/**
 * A new key with the organization, name and permissions of another, which expires after the overlap.
 * Throws `AccessError` for a key that is unknown or has ended.
 */
export function rotateKey(
  administrator: KeyAdministrator,
  publicId: string,
  { overlapSeconds = 0, expiresAt }: RotateKeyParams = {},
): Promise<CreatedKey & { replaced: { publicId: string; expiresAt: Date } }> {
  return audited(administrator, async (transaction) => {
    const old = await lockKey(transaction, publicId)
    if (old.revokedAt) throw new AccessError(`The key ${publicId} was revoked: create a new one`)
    if (old.expiresAt && old.expiresAt.getTime() <= Date.now())
      throw new AccessError(`The key ${publicId} has expired: create a new one`)
    const created = await insertKey(transaction, administrator.appSecret, {
      ...old,
      expiresAt: expiresAt ?? old.expiresAt,
    })
    const [shortened] = await transaction<{ expiresAt: Date }[]>`
      update app.api_key
      set expires_at = least(expires_at, now() + make_interval(secs => ${overlapSeconds}))
      where public_id = ${publicId} returning expires_at as "expiresAt"`
    if (!shortened) throw new Error('Invariant(keys): a locked key is gone')
    const replaced = { publicId, expiresAt: shortened.expiresAt }
    const details = { replacedBy: created.publicId, expiresAt: shortened.expiresAt }
    return {
      result: { ...created, replaced },
      entry: { action: 'key.rotate', subject: publicId, details },
    }
  })
}

async function insertKey(
  sql: ISql,
  appSecret: Uint8Array,
  { organizationId, name = '', permissions = [], expiresAt = null }: CreateKeyParams,
): Promise<CreatedKey> {
  const parts = randomKeyParts()
  const sorted = [...new Set(permissions)].sort()
  await sql`
    insert into app.api_key (public_id, organization_id, name, secret_hash, permissions, expires_at)
    values (${parts.publicId}, ${organizationId}, ${name}, ${secretHash(parts, appSecret)},
      ${sorted}, ${expiresAt})`
  return { key: formatKey(parts), publicId: parts.publicId, permissions: sorted, expiresAt }
}

type LockedKey = Required<CreateKeyParams> & { expiresAt: Date | null; revokedAt: Date | null }

/** Locks the key against concurrent changes. */
async function lockKey(sql: ISql, publicId: string): Promise<LockedKey> {
  const [found] = await sql<LockedKey[]>`
    select organization_id as "organizationId", name, permissions, expires_at as "expiresAt",
      revoked_at as "revokedAt"
    from app.api_key where public_id = ${publicId} for update`
  if (!found) throw new AccessError(`There is no key with the public id "${publicId}"`)
  return found
}
