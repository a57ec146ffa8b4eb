import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAdminConnection } from '../../cli/adminConnection.ts'
import { connect } from '../../db/sql.ts'
import { authenticateKey } from '../../domain/access/authenticateKey.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

const run = promisify(execFile)
const appSecret = randomBytes(32)

let database: TestDatabase
let sql: Sql

async function admin(...parameters: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['cli/admin.ts', ...parameters], {
    env: { ...process.env, DATABASE_URL: database.url, APP_SECRET: appSecret.toString('hex') },
  })
  return stdout
}

describe('admin', () => {
  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 1 })
  })
  afterAll(async () => {
    await sql.end()
    await database.drop()
  })

  test('default', async () => {
    const organization = JSON.parse(await admin('--json', 'organizations', 'create', 'Acme'))
    expect(await admin('organizations', 'list')).toContain(`${organization.id}  Acme`)

    const created = JSON.parse(
      await admin('--json', 'keys', 'create', '--organization', 'Acme', '--expires', '2d'),
    )
    expect(Date.parse(created.expiresAt) - Date.now()).toBeGreaterThan(1.9 * 86_400_000)
    const caller = {
      organizationId: organization.id,
      keyId: created.publicId,
      ...{ permissions: [], rateLimitTier: 'standard' },
      ...{ defaultDistributorCode: null, slippageBps: 50, settleOnSubmit: false },
    }
    expect(await authenticateKey({ sql, appSecret }, created.key)).toEqual(caller)

    expect(await admin('keys', 'revoke', created.publicId)).toContain('Revoked')
    const listed = await admin('--json', 'keys', 'list')
    expect(JSON.parse(listed)).toMatchObject([{ publicId: created.publicId, organization: 'Acme' }])
    expect(JSON.parse(listed)[0].revokedAt).not.toBeNull()
    expect(listed).not.toContain(created.key.split('_')[2])
  })

  test('behavior: the builds of the index are listed, and another is ordered', async () => {
    expect(await admin('index', 'list')).toBe('Nothing is indexed yet\n')
    await sql`
      insert into app.index_build (postgres_schema, chain_id, build_hash, state, error)
      values ('index_1_a', 1, 'a', 'failed', 'no node of chain 1 answers')`
    await admin('index', 'rebuild', '1', '--reason', 'to be sure')
    expect(JSON.parse(await admin('--json', 'index', 'list'))).toMatchObject([
      { chain: '1', build: 'index_1_a', state: 'failed', block: null, rebuild: 'to be sure' },
    ])
    expect(await sql`select generation from app.index_rebuild`).toMatchObject([{ generation: 1 }])
  })

  test.each([
    [['index', 'rebuild', '5', '--reason', 'x'], 'There is no index of chain 5'],
    [['index', 'rebuild', 'x', '--reason', 'x'], 'expected the id of a chain'],
    [['index', 'rebuild', '1'], 'required option'],
    [['keys', 'create', '--organization', 'Nobody'], 'There is no organization "Nobody"'],
    [['keys', 'create'], "required option '--organization <name|id>' not specified"],
    [['keys', 'create', '--organization', 'Acme', '--expires', '0d'], 'expected a duration'],
    [['keys', 'revoke', 'x'], 'There is no key'],
    [['organizations', 'create', ''], 'A name has 1 to 100 characters'],
  ])('error: %j', async (parameters, message) => {
    await expect(admin(...parameters)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
  })
})

describe('findAdminConnection', () => {
  test('behavior: the local start, where nothing is set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-admin-'))
    const databaseUrl = 'postgres://postgres:x@127.0.0.1:1/postgres'
    await writeFile(join(folder, 'run.json'), JSON.stringify({ databaseUrl }))
    await writeFile(
      join(folder, 'secrets.json'),
      JSON.stringify({ appSecret: appSecret.toString('hex') }),
    )
    expect(await findAdminConnection({}, folder)).toEqual({ databaseUrl, appSecret })
    await rm(folder, { recursive: true })
  })

  test.each([
    [{}, 'run npm start first'],
    [{ DATABASE_URL: 'postgres://x' }, 'APP_SECRET is not set'],
    [{ APP_SECRET: 'ab'.repeat(32) }, 'DATABASE_URL is not set'],
    [{ DATABASE_URL: 'postgres://x', APP_SECRET: 'short' }, 'APP_SECRET: expected 32 bytes'],
  ])('error: %j', async (environment, message) => {
    await expect(findAdminConnection(environment, '/nonexistent')).rejects.toThrow(message)
  })
})
