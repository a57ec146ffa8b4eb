import type { SharedContext } from '../context.ts'
import { type ApiKey, selectKeys } from './apiKey.ts'
import { checkKeyParams, type KeyParams } from './keyParams.ts'
import {
  createKey,
  type KeyAdministrator,
  type KeyBounds,
  renameKey,
  revokeKey,
  rotateKey,
} from './keys.ts'
import { type LimitedKey, withLimits } from './listApiKeys.ts'
import { requirePermission } from './requirePermission.ts'

type KeyRequest = Pick<SharedContext, 'sql' | 'appSecret' | 'caller'>

/** `secret` is the key in clear text: shown now, and never again. */
export type CreatedApiKey = { apiKey: LimitedKey; secret: string }

type BoundAdministrator = KeyAdministrator & { bounds: KeyBounds }

/** The caller of a request as the administrator of its organization's keys. Throws as `requirePermission`. */
function keyAdministrator({ sql, appSecret, caller }: KeyRequest): BoundAdministrator {
  const { actor, organizationId, changes } = requirePermission(caller, 'keys')
  // A key may change things, so it gets at most what the caller may change.
  return { sql, appSecret, actor, bounds: { organizationId, permissions: changes } }
}

/** A new key. Throws `INVALID_FIELD`, `PERMISSION_DENIED`, `API_KEY_LIMIT`. */
export async function createApiKey(
  context: KeyRequest,
  params: KeyParams & { name: string; permissions: readonly string[] },
): Promise<CreatedApiKey> {
  const administrator = keyAdministrator(context)
  const { organizationId } = administrator.bounds
  const checked = { ...checkKeyParams(params), organizationId }
  const { key, publicId } = await createKey(administrator, checked)
  return { apiKey: await getApiKey(administrator, publicId), secret: key }
}

/** A new key in the place of another, as `rotateKey`. Also throws `INVALID_FIELD`. */
export async function rotateApiKey(
  context: KeyRequest,
  publicId: string,
  params: Pick<KeyParams, 'overlapSeconds' | 'expiresAt'>,
): Promise<CreatedApiKey & { replaced: LimitedKey }> {
  const administrator = keyAdministrator(context)
  const rotated = await rotateKey(administrator, publicId, checkKeyParams(params))
  const [apiKey, replaced] = await Promise.all([
    getApiKey(administrator, rotated.publicId),
    getApiKey(administrator, publicId),
  ])
  return { apiKey, replaced, secret: rotated.key }
}

/** The key, revoked now or before. Throws `API_KEY_NOT_FOUND`. */
export async function revokeApiKey(context: KeyRequest, publicId: string): Promise<LimitedKey> {
  const administrator = keyAdministrator(context)
  await revokeKey(administrator, publicId)
  return getApiKey(administrator, publicId)
}

/** The key with another name. Throws `INVALID_FIELD`, `API_KEY_NOT_FOUND`. */
export async function renameApiKey(
  context: KeyRequest,
  publicId: string,
  name: string,
): Promise<LimitedKey> {
  const administrator = keyAdministrator(context)
  await renameKey(administrator, publicId, name)
  return getApiKey(administrator, publicId)
}

async function getApiKey(
  { sql, bounds }: BoundAdministrator,
  publicId: string,
): Promise<LimitedKey> {
  const rows = await sql<ApiKey[]>`
    ${selectKeys(sql)}
    where k.public_id = ${publicId} and k.organization_id = ${bounds.organizationId}`
  const [found] = await withLimits({ sql }, rows)
  if (!found) throw new Error('Invariant(manageApiKeys): a key that was found is gone')
  return found
}
