import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { listAudit } from '../../../domain/access/audit.ts'
import { authenticateKey } from '../../../domain/access/authenticateKey.ts'
import {
  createKey,
  type KeyAdministrator,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../domain/access/keys.ts'
import { createOrganization, setOrganization } from '../../../domain/access/organizations.ts'
import type { Permission } from '../../../domain/access/permissions.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'

let database: TestDatabase
let administrator: KeyAdministrator
let organizationId: string
beforeAll(async () => {
  database = await createTestDatabase()
  const sql = connect(database.url, { applicationName: 'test', max: 2 })
  administrator = { sql, appSecret: randomBytes(32), actor: 'test:keys', bounds: null }
  organizationId = (await createOrganization(administrator, 'Keys')).id
})
afterAll(async () => {
  await administrator.sql.end()
  await database.drop()
})

const create = (params: object = {}) => createKey(administrator, { organizationId, ...params })
const listed = async (publicId: string) =>
  (await listKeys(administrator.sql)).find((key) => key.publicId === publicId)
const unauthenticated = expect.objectContaining({ reason: 'UNAUTHENTICATED' })

describe('createKey', () => {
  test('default: permissions come with the caller', async () => {
    const { key } = await create({ permissions: ['webhooks', 'earn:read', 'earn:read'] })
    const { permissions } = await authenticateKey(administrator, key)
    expect(permissions).toEqual(['earn:read', 'webhooks'])
  })

  test('error: the database takes no permission that is none', async () => {
    // The database has to refuse these too, not only the types.
    const permissions = ['everything'] as unknown as Permission[]
    await expect(create({ permissions })).rejects.toThrow('api_key_permissions_check')
  })
})

describe('revokeKey', () => {
  test('behavior: the first time stays, and is the one that is written down', async () => {
    const { publicId } = await create({ name: 'server' })
    await revokeKey(administrator, publicId)
    const first = await listed(publicId)
    expect(first).toMatchObject({ organization: 'Keys', name: 'server', expiresAt: null })
    expect(first?.revokedAt).toBeInstanceOf(Date)
    await revokeKey(administrator, publicId)
    expect(await listed(publicId)).toEqual(first)
    const actions = await listAudit(administrator.sql, { subject: publicId, limit: 10 })
    expect(actions.map(({ action }) => action)).toEqual(['key.revoke', 'key.create'])
  })

  test('error: no key of that public id', async () => {
    await expect(revokeKey(administrator, 'ffffffffffffffff')).rejects.toThrow('There is no key')
  })
})

describe('rotateKey', () => {
  test('default: another key that may do the same; the old one ends', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000)
    const old = await create({ name: 'server', permissions: ['earn:read'], expiresAt })
    const rotated = await rotateKey(administrator, old.publicId)
    expect(await authenticateKey(administrator, rotated.key)).toMatchObject({
      organizationId,
      permissions: ['earn:read'],
      actor: `key:${rotated.publicId}`,
    })
    expect(await listed(rotated.publicId)).toMatchObject({ name: 'server', expiresAt })
    await expect(authenticateKey(administrator, old.key)).rejects.toEqual(unauthenticated)
  })

  test('behavior: the old one works for the overlap', async () => {
    const old = await create()
    const { replaced } = await rotateKey(administrator, old.publicId, { overlapSeconds: 60 })
    expect(await authenticateKey(administrator, old.key)).toMatchObject({
      actor: `key:${old.publicId}`,
    })
    expect((await listed(old.publicId))?.expiresAt).toEqual(replaced.expiresAt)
    vi.useFakeTimers({ toFake: ['Date'], now: replaced.expiresAt })
    onTestFinished(() => void vi.useRealTimers())
    await expect(authenticateKey(administrator, old.key)).rejects.toEqual(unauthenticated)
  })

  test('behavior: an overlap never makes the old one live longer', async () => {
    const expiresAt = new Date(Date.now() + 60_000)
    const old = await create({ expiresAt })
    const { replaced } = await rotateKey(administrator, old.publicId, { overlapSeconds: 3_600 })
    expect(replaced.expiresAt).toEqual(expiresAt)
  })

  test('behavior: of two at once one is too late', async () => {
    const old = await create()
    const settled = await Promise.allSettled(
      [1, 2].map(() => rotateKey(administrator, old.publicId)),
    )
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('error: a key that has ended, and none', async () => {
    const expired = await create({ expiresAt: new Date(Date.now() - 1) })
    await expect(rotateKey(administrator, expired.publicId)).rejects.toThrow('has expired')
    const revoked = await create()
    await revokeKey(administrator, revoked.publicId)
    await expect(rotateKey(administrator, revoked.publicId)).rejects.toThrow('was revoked')
    await expect(rotateKey(administrator, 'x')).rejects.toThrow('There is no key')
  })
})

describe('the audit', () => {
  test('default: who, what, to what, when, and no secret', async () => {
    const before = await listAudit(administrator.sql, { limit: 1_000 })
    const { id } = await createOrganization(administrator, 'Audited')
    await setOrganization(administrator, id, { slippageBps: 7, rateLimitTier: 'high' })
    const created = await createKey(administrator, { organizationId: id, name: 'a' })
    const rotated = await rotateKey(administrator, created.publicId, { overlapSeconds: 60 })
    await revokeKey(administrator, created.publicId)
    const all = await listAudit(administrator.sql, { limit: 1_000 })
    const added = all.slice(0, all.length - before.length)
    expect(added.toReversed()).toMatchObject([
      { action: 'organization.create', subject: id, details: { name: 'Audited' } },
      {
        action: 'organization.set',
        subject: id,
        details: { slippageBps: 7, rateLimitTier: 'high' },
      },
      {
        action: 'key.create',
        subject: created.publicId,
        details: { organizationId: id, name: 'a' },
      },
      {
        action: 'key.rotate',
        subject: created.publicId,
        details: { replacedBy: rotated.publicId },
      },
      { action: 'key.revoke', subject: created.publicId, details: {} },
    ])
    for (const { actor, at } of added) {
      expect(actor).toBe('test:keys')
      expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(10_000)
    }
    for (const { key } of [created, rotated])
      expect(JSON.stringify(all)).not.toContain(key.split('_')[2])
  })

  test('behavior: what fails is not in it', async () => {
    const count = async () => (await listAudit(administrator.sql, { limit: 1_000 })).length
    const before = await count()
    await expect(createOrganization(administrator, 'Keys')).rejects.toThrow('already')
    await expect(rotateKey(administrator, 'x')).rejects.toThrow()
    expect(await count()).toBe(before)
  })
})
