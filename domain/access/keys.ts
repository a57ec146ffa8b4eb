import type { ISql, Sql, TransactionSql } from 'postgres'
import { ServiceError } from '../error/serviceError.ts'
import { type ApiKey, selectKeys } from './apiKey.ts'
import { type Administrator, audited } from './audit.ts'
import { formatKey, isPublicId, randomKeyParts } from './keyFormat.ts'
import { checkKeyParams } from './keyParams.ts'
import type { Permission } from './permissions.ts'
import { secretHash } from './secretHash.ts'

export type KeyContext = { sql: Sql; appSecret: Uint8Array }

/** The keys that a caller manages: those of its organization, with no permission that it lacks. */
export type KeyBounds = { organizationId: string; permissions: readonly Permission[] }

/** Whoever manages keys; an operator has no bounds. */
export type KeyAdministrator = Administrator & { appSecret: Uint8Array; bounds: KeyBounds | null }

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

/** The most keys of an organization that are neither revoked nor expired. */
export const MOST_LIVE_KEYS = 100

/** A new key of an existing organization. Throws `PERMISSION_DENIED`, `API_KEY_LIMIT`. */
export function createKey(
  administrator: KeyAdministrator,
  params: CreateKeyParams,
): Promise<CreatedKey> {
  return audited(administrator, async (transaction) => {
    const result = await insertKey(transaction, administrator, params)
    const { organizationId, name = '' } = params
    const { publicId, permissions, expiresAt } = result
    const details = { organizationId, name, permissions, expiresAt }
    return { result, entry: { action: 'key.create', subject: publicId, organizationId, details } }
  })
}

/** All keys, or those of one organization, including revoked and expired ones; the oldest first. */
export function listKeys(sql: Sql, organizationId: string | null = null): Promise<ApiKey[]> {
  return sql<ApiKey[]>`
    ${selectKeys(sql)} where ${organizationId}::uuid is null or o.id = ${organizationId}
    order by k.created_at, k.public_id`
}

/** Revokes a key, within 5 s on every process. Throws `API_KEY_NOT_FOUND`. */
export function revokeKey(
  administrator: Pick<KeyAdministrator, 'sql' | 'actor' | 'bounds'>,
  publicId: string,
): Promise<void> {
  return audited(administrator, async (transaction) => {
    const { revokedAt, organizationId } = await lockKey(transaction, administrator, publicId)
    if (revokedAt) return { result: undefined, entry: null }
    await transaction`update app.api_key set revoked_at = now() where public_id = ${publicId}`
    const entry = { action: 'key.revoke', subject: publicId, organizationId } as const
    return { result: undefined, entry }
  })
}

/** Gives a key another name. Throws `INVALID_FIELD`, `API_KEY_NOT_FOUND`. */
export async function renameKey(
  administrator: KeyAdministrator,
  publicId: string,
  name: string,
): Promise<void> {
  checkKeyParams({ name })
  return audited(administrator, async (transaction) => {
    const before = await lockKey(transaction, administrator, publicId)
    if (before.name === name) return { result: undefined, entry: null }
    await transaction`update app.api_key set name = ${name} where public_id = ${publicId}`
    const details = { name, before: before.name }
    const { organizationId } = before
    return {
      result: undefined,
      entry: { action: 'key.rename', subject: publicId, organizationId, details },
    }
  })
}

export type RotateKeyParams = {
  /** How long the old key continues to work; default 0: it ends within 5 s. */
  overlapSeconds?: number | undefined
  /** The new key's expiry; default: the old key's. */
  expiresAt?: Date | undefined
}

/**
 * A new key with the organization, name and permissions of another, which expires after the overlap. Throws
 * `API_KEY_NOT_FOUND`, `API_KEY_ENDED`, `PERMISSION_DENIED`, `API_KEY_LIMIT`.
 */
export function rotateKey(
  administrator: KeyAdministrator,
  publicId: string,
  { overlapSeconds = 0, expiresAt }: RotateKeyParams = {},
): Promise<CreatedKey & { replaced: { publicId: string; expiresAt: Date } }> {
  return audited(administrator, async (transaction) => {
    const old = await lockKey(transaction, administrator, publicId)
    refuseEnded(publicId, old)
    // Before the new key is counted: without an overlap there is always room for it.
    const [shortened] = await transaction<{ expiresAt: Date }[]>`
      update app.api_key
      set expires_at = least(expires_at, now() + make_interval(secs => ${overlapSeconds}))
      where public_id = ${publicId} returning expires_at as "expiresAt"`
    if (!shortened) throw new Error('Invariant(keys): a locked key is gone')
    const created = await insertKey(transaction, administrator, {
      ...old,
      expiresAt: expiresAt ?? old.expiresAt,
      rotatedFrom: publicId,
    })
    const replaced = { publicId, expiresAt: shortened.expiresAt }
    const details = { replacedBy: created.publicId, expiresAt: shortened.expiresAt }
    return {
      result: { ...created, replaced },
      entry: {
        action: 'key.rotate',
        subject: publicId,
        organizationId: old.organizationId,
        details,
      },
    }
  })
}

type NewKey = CreateKeyParams & { rotatedFrom?: string }

async function insertKey(
  sql: TransactionSql,
  { actor, appSecret, bounds }: KeyAdministrator,
  { organizationId, name = '', permissions = [], expiresAt = null, rotatedFrom }: NewKey,
): Promise<CreatedKey> {
  const sorted = [...new Set(permissions)].sort()
  refuseExceeding(sorted, bounds)
  await refuseTooMany(sql, organizationId)
  const parts = randomKeyParts()
  await sql`
    insert into app.api_key (public_id, organization_id, name, secret_hash, permissions,
      expires_at, created_by, rotated_from)
    values (${parts.publicId}, ${organizationId}, ${name}, ${secretHash(parts, appSecret)},
      ${sorted}, ${expiresAt}, ${actor}, ${rotatedFrom ?? null})`
  return { key: formatKey(parts), publicId: parts.publicId, permissions: sorted, expiresAt }
}

/** Whoever gets the key could use it for what they may not do themselves. */
function refuseExceeding(permissions: readonly Permission[], bounds: KeyBounds | null) {
  const permission = permissions.find((one) => bounds && !bounds.permissions.includes(one))
  if (permission === undefined) return
  throw new ServiceError(
    'PERMISSION_DENIED',
    `You lack the permission ${permission}, so you cannot make a key that has it.`,
    { metadata: { permission } },
  )
}

async function refuseTooMany(sql: TransactionSql, organizationId: string) {
  // The lock prevents two concurrent requests from exceeding the limit.
  await sql`select 1 from app.organization where id = ${organizationId} for no key update`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from app.api_key
    where organization_id = ${organizationId} and revoked_at is null
      and (expires_at is null or expires_at > now())`
  if ((row?.count ?? 0) < MOST_LIVE_KEYS) return
  throw new ServiceError(
    'API_KEY_LIMIT',
    `An organization has at most ${MOST_LIVE_KEYS} keys that work: revoke one first.`,
    { metadata: { limit: String(MOST_LIVE_KEYS) } },
  )
}

function refuseEnded(publicId: string, { revokedAt, expiresAt }: LockedKey) {
  if (revokedAt)
    throw new ServiceError('API_KEY_ENDED', `The key ${publicId} was revoked: create a new one.`)
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new ServiceError('API_KEY_ENDED', `The key ${publicId} has expired: create a new one.`)
}

type LockedKey = Required<CreateKeyParams> & {
  name: string
  expiresAt: Date | null
  revokedAt: Date | null
}

/** Locks the key against concurrent changes. Another organization's key is not found. */
async function lockKey(
  sql: ISql,
  { bounds }: Pick<KeyAdministrator, 'bounds'>,
  publicId: string,
): Promise<LockedKey> {
  const organizationId = bounds?.organizationId ?? null
  // Postgres refuses some texts that are no id, as one with U+0000.
  const [found] = isPublicId(publicId)
    ? await sql<LockedKey[]>`
        select organization_id as "organizationId", name, permissions, expires_at as "expiresAt",
          revoked_at as "revokedAt"
        from app.api_key
        where public_id = ${publicId}
          and (${organizationId}::uuid is null or organization_id = ${organizationId})
        for update`
    : []
  if (found) return found
  const shown = JSON.stringify(publicId.slice(0, 100))
  throw new ServiceError('API_KEY_NOT_FOUND', `There is no key with the public id ${shown}.`)
}
