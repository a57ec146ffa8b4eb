import type { Sql } from 'postgres'
import { connect } from '../../db/sql.ts'
import { parseKey } from '../../domain/access/keyFormat.ts'
import { createKey, type KeyAdministrator } from '../../domain/access/keys.ts'
import {
  createOrganization,
  findOrganization,
  getOrganization,
} from '../../domain/access/organizations.ts'
import { PERMISSIONS, type Permission } from '../../domain/access/permissions.ts'
import { noteSecret } from './handedOut.ts'

/** The default key for each API that the tests started, by its origin. */
const keys = new Map<string, string>()

const TESTS = 'Tests'

/** The organization of the default keys. */
export function testOrganization(sql: Sql) {
  return getOrganization(sql, TESTS)
}

/** A new key of the tests' organization. */
export async function createTestKey(
  administrator: KeyAdministrator,
  permissions: readonly Permission[] = PERMISSIONS,
): Promise<string> {
  const { id } =
    (await findOrganization(administrator.sql, TESTS)) ??
    (await createOrganization(administrator, TESTS))
  const { key } = await createKey(administrator, { organizationId: id, permissions })
  noteSecret(parseKey(key).secret)
  return key
}

/** From now on `ask` sends this API a key with all permissions. */
export async function giveKey(url: string, administrator: KeyAdministrator): Promise<void> {
  keys.set(new URL(url).origin, await createTestKey(administrator))
}

/** Like `giveKey`, for an API in another process. */
export async function giveKeyOf(url: string, databaseUrl: string, appSecret: string) {
  const sql = connect(databaseUrl, { applicationName: 'test-key', max: 1 })
  await giveKey(url, { sql, appSecret: Buffer.from(appSecret, 'hex'), actor: 'test', bounds: null })
  await sql.end()
}

/** The key that `ask` sends to this API; undefined for one without a key of the tests. */
export function keyOf(url: string | URL): string | undefined {
  return keys.get(new URL(url).origin)
}

/** `fetch` with the API's default key, unless the headers have one. */
export function ask(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const key = keyOf(url)
  if (key && !headers.has('x-api-key')) headers.set('x-api-key', key)
  return fetch(url, { ...init, headers })
}
