import type { components, Parameters } from '@causeway/sdk'
import type { Status } from '../components/Badge.tsx'
import { entriesOf } from '../format/entriesOf.ts'

export type ApiKey = components['schemas']['ApiKey']

export const KEY_STATUS: Record<ApiKey['status'], Status> = {
  ACTIVE: { name: 'Active', tone: 'good' },
  EXPIRED: { name: 'Expired', tone: 'neutral' },
  REVOKED: { name: 'Revoked', tone: 'bad' },
}

/** The name of a key, or its public id. */
export function keyName({ name, publicId }: Pick<ApiKey, 'name' | 'publicId'>): string {
  return name || publicId
}

/** A permission that a key may have. */
export type KeyPermission = NonNullable<Parameters<'createApiKey'>['permissions']>[number]

/** The purpose of each permission. */
const PURPOSES: Record<KeyPermission, string> = {
  'earn:read': 'read vaults, positions and activity',
  'earn:prepare': 'prepare deposits and withdrawals',
  'smart-deposits': 'make and read smart deposit addresses',
  'smart-deposits:refund': 'order refunds of retained payments',
  webhooks: 'manage webhook endpoints, read events',
  keys: 'manage keys, read their usage and requests',
}

/** The permissions that a key may have, and what they are for. */
export const KEY_PERMISSIONS = entriesOf(PURPOSES)

/** How long a key lasts: seconds as text, and their name; empty for ever. */
export const LIFETIMES = [
  ['', 'never'],
  ['604800', 'in 7 days'],
  ['2592000', 'in 30 days'],
  ['7776000', 'in 90 days'],
  ['31536000', 'in 1 year'],
] as const

/** The end of a lifetime that begins now. */
export function endOf(lifetime: string): { expiresAt?: Date } {
  return lifetime === '' ? {} : { expiresAt: new Date(Date.now() + Number(lifetime) * 1_000) }
}
