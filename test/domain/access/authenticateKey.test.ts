import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { authenticateKey } from '../../../domain/access/authenticateKey.ts'
import { formatKey, randomKeyParts } from '../../../domain/access/keyFormat.ts'
import {
  createKey,
  type KeyAdministrator,
  listKeys,
  revokeKey,
} from '../../../domain/access/keys.ts'
import { createOrganization, type Organization } from '../../../domain/access/organizations.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'

// Modules that an earlier file of this process loaded would not see the mock.
vi.hoisted(() => vi.resetModules())
// The real function, with a count of its calls.
vi.mock(import('node:crypto'), async (original) => {
  const crypto = await original()
  return { ...crypto, createHmac: vi.fn(crypto.createHmac) }
})

let database: TestDatabase
let context: KeyAdministrator
let organization: Organization
let statements: string[]

/** Stands for another process, with its own pool and cache. */
function connectAgain(): Sql {
  return connect(database.url, { applicationName: 'test', max: 2 })
}

const unauthenticated = expect.objectContaining({ reason: 'UNAUTHENTICATED', code: 401 })

describe('authenticateKey', () => {
  beforeAll(async () => {
    database = await createTestDatabase()
    context = { sql: connectAgain(), appSecret: randomBytes(32), actor: 'test', bounds: null }
    organization = await createOrganization(context, 'Acme')
    statements = []
    context.sql.options.debug = (_, query) => statements.push(query)
  })
  afterAll(async () => {
    await context.sql.end()
    await database.drop()
    // Later files in this process must not see the mock.
    vi.doUnmock('node:crypto')
    vi.resetModules()
  })

  test('default', async () => {
    const { key, publicId } = await createKey(context, { organizationId: organization.id })
    expect(key).toMatch(/^causeway_[0-9a-f]{16}_[0-9a-f]{64}$/)
    expect(await authenticateKey(context, key)).toEqual({
      organizationId: organization.id,
      actor: `key:${publicId}`,
      permissions: [],
      changes: [],
      member: null,
      rateLimitTier: 'standard',
      defaultDistributorCode: null,
      settleOnSubmit: false,
      slippageBps: 50,
    })
  })

  test('behavior: the secret is stored nowhere in clear', async () => {
    const { key, publicId } = await createKey(context, { organizationId: organization.id })
    const secret = key.split('_')[2] ?? ''
    const [row] = await context.sql<{ row: string; hash: Uint8Array }[]>`
      select k::text as row, secret_hash as hash from app.api_key k where public_id = ${publicId}`
    expect(row?.row).not.toContain(secret)
    expect(row?.hash).toHaveLength(32)
  })

  test('behavior: a burst of one key costs one lookup, of its hash and of the rest, and one note of its use', async () => {
    const { key } = await createKey(context, { organizationId: organization.id })
    statements.length = 0
    await Promise.all(Array.from({ length: 100 }, () => authenticateKey(context, key)))
    expect(statements).toHaveLength(3)
  })

  test('behavior: its use is noted', async () => {
    const { key, publicId } = await createKey(context, { organizationId: organization.id })
    const lastUse = async () =>
      (await listKeys(context.sql)).find((listed) => listed.publicId === publicId)?.lastUsedAt
    expect(await lastUse()).toBeNull()
    await authenticateKey(context, key)
    expect(Date.now() - ((await lastUse())?.getTime() ?? 0)).toBeLessThan(5_000)
  })

  test('behavior: a database that takes no writes keeps nobody from reading', async () => {
    const { key, publicId } = await createKey(context, { organizationId: organization.id })
    const sql = connect(database.url, { applicationName: 'test-readonly', max: 1 })
    onTestFinished(() => sql.end())
    await sql`set default_transaction_read_only = on`
    expect(await authenticateKey({ ...context, sql }, key)).toMatchObject({
      actor: `key:${publicId}`,
    })
  })

  test('behavior: a key works at once although it was asked for before it was made', async () => {
    const { key, publicId } = await createKey(context, { organizationId: organization.id })
    await context.sql`update app.api_key set public_id = '0000000000000000' where public_id = ${publicId}`
    await expect(authenticateKey(context, key)).rejects.toEqual(unauthenticated)
    await context.sql`update app.api_key set public_id = ${publicId} where public_id = '0000000000000000'`
    expect(await authenticateKey(context, key)).toMatchObject({ actor: `key:${publicId}` })
  })

  test.each([
    ['', 'empty'],
    ['causeway', 'a prefix alone'],
    [`other_0123456789abcdef_${'0'.repeat(64)}`, 'another prefix'],
    [`causeway_0123456789abcdef_${'0'.repeat(63)}`, 'a short secret'],
    [`causeway_0123456789abcdef_${'0'.repeat(64)}\n`, 'a trailing line end'],
    [`causeway_0123456789ABCDEF_${'0'.repeat(64)}`, 'another case'],
    [`causeway_0123456789abcde'_${'0'.repeat(64)}`, 'a quote'],
    [`causeway_0123456789abcdef_${'0'.repeat(64)}`, 'unknown'],
  ])('error: %j (%s)', async (key) => {
    await expect(authenticateKey(context, key)).rejects.toEqual(unauthenticated)
  })

  test('behavior: a wrong secret costs what an unknown public id costs, again and again', async () => {
    const { publicId } = await createKey(context, { organizationId: organization.id })
    const { secret } = randomKeyParts()
    const unknown = formatKey({ publicId: randomKeyParts().publicId, secret })
    const wrong = formatKey({ publicId, secret })
    const costOf = async (key: string) => {
      vi.mocked(createHmac).mockClear()
      statements.length = 0
      const refusal = await authenticateKey(context, key).catch((error: unknown) => error)
      expect(refusal).toEqual(unauthenticated)
      const message = refusal instanceof Error && refusal.message
      return {
        message,
        statements: [...statements],
        hmacs: vi.mocked(createHmac).mock.calls.length,
      }
    }
    const first = await costOf(unknown)
    expect(first).toMatchObject({ statements: { length: 1 }, hmacs: 1 })
    for (let round = 0; round < 5; round += 1) {
      expect(await costOf(wrong)).toEqual(first)
      expect(await costOf(unknown)).toEqual(first)
    }
  })

  test('behavior: a wrong secret costs the same while the right one is in use', async () => {
    const { key, publicId } = await createKey(context, { organizationId: organization.id })
    const wrong = formatKey({ ...randomKeyParts(), publicId })
    await authenticateKey(context, key)
    statements.length = 0
    await expect(authenticateKey(context, wrong)).rejects.toEqual(unauthenticated)
    await expect(authenticateKey(context, wrong)).rejects.toEqual(unauthenticated)
    expect(statements).toHaveLength(2)
    expect(await authenticateKey(context, key)).toMatchObject({ actor: `key:${publicId}` })
    expect(statements).toHaveLength(2)
  })

  test('error: the secret of another key', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => createKey(context, { organizationId: organization.id })),
    )
    const mixed = `causeway_${one?.publicId}_${other?.key.split('_')[2]}`
    await expect(authenticateKey(context, mixed)).rejects.toEqual(unauthenticated)
  })

  test('error: the hash of another key put into its row', async () => {
    const own = await createKey(context, { organizationId: organization.id })
    const other = await createKey(context, { organizationId: organization.id })
    await context.sql`update app.api_key set secret_hash =
      (select secret_hash from app.api_key where public_id = ${own.publicId})
      where public_id = ${other.publicId}`
    const mixed = `causeway_${other.publicId}_${own.key.split('_')[2]}`
    await expect(authenticateKey(context, mixed)).rejects.toEqual(unauthenticated)
  })

  test('error: another service secret', async () => {
    const { key } = await createKey(context, { organizationId: organization.id })
    const foreign = { sql: context.sql, appSecret: randomBytes(32) }
    await expect(authenticateKey(foreign, key)).rejects.toEqual(unauthenticated)
  })

  test('error: expired, even while it is cached', async () => {
    const expiresAt = new Date(Date.now() + 60_000)
    const { key } = await createKey(context, { organizationId: organization.id, expiresAt })
    await authenticateKey(context, key)
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt })
    onTestFinished(() => void vi.useRealTimers())
    await expect(authenticateKey(context, key)).rejects.toEqual(unauthenticated)
  })

  test('error: revoked by another process: within 5 s', async () => {
    const { key, publicId } = await createKey(context, { organizationId: organization.id })
    await authenticateKey(context, key)
    const elsewhere = connectAgain()
    await revokeKey({ sql: elsewhere, actor: 'test', bounds: null }, publicId)
    await elsewhere.end()
    await sleep(4_900)
    await expect(authenticateKey(context, key)).rejects.toEqual(unauthenticated)
  })
})
