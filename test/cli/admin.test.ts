import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAdmin } from '../../cli/admin/runAdmin.ts'
import { findAdminConnection } from '../../cli/adminConnection.ts'
import { connect } from '../../db/sql.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { localAddressBook } from '../../devnet/localAddressBook.ts'
import { authenticateKey } from '../../domain/access/authenticateKey.ts'
import { acceptInvitation, findInvitation, invite } from '../../domain/access/invitations.ts'
import { memberCaller } from '../../domain/access/memberCaller.ts'
import { writeRunFile } from '../../processes/start/runFile.ts'
import { saveSecrets } from '../../processes/start/secrets.ts'
import { endedCommand, spawnedCommand } from '../support/endedCommand.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

const appSecret = randomBytes(32)
const secretsKey = randomBytes(32)

let database: TestDatabase
let sql: Sql

const environment = () => ({
  ...process.env,
  DATABASE_URL: database.url,
  APP_SECRET: appSecret.toString('hex'),
})

/** The output of a command; throws its error. */
async function admin(...parameters: string[]): Promise<string> {
  const { code, stdout, stderr } = await endedCommand(runAdmin, parameters, environment())
  if (code !== 0) throw new Error(stderr)
  expect(stderr).toBe('')
  return stdout
}

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { applicationName: 'test', max: 1 })
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

describe('admin', () => {
  test('default', async () => {
    const organization = JSON.parse(await admin('--json', 'organizations', 'create', 'Acme'))
    expect(await admin('organizations', 'list')).toContain(`${organization.id}  Acme`)

    const created = JSON.parse(
      await admin('--json', 'keys', 'create', '--organization', 'Acme', '--expires', '2d'),
    )
    expect(Date.parse(created.expiresAt) - Date.now()).toBeGreaterThan(1.9 * 86_400_000)
    const caller = {
      organizationId: organization.id,
      actor: `key:${created.publicId}`,
      permissions: [],
      changes: [],
      member: null,
      rateLimitTier: 'standard',
      defaultDistributorCode: null,
      slippageBps: 50,
      settleOnSubmit: false,
    }
    expect(await authenticateKey({ sql, appSecret }, created.key)).toEqual(caller)

    expect(await admin('keys', 'revoke', created.publicId)).toContain('Revoked')
    const listed = await admin('--json', 'keys', 'list')
    expect(JSON.parse(listed)).toMatchObject([{ publicId: created.publicId, organization: 'Acme' }])
    expect(JSON.parse(listed)[0].revokedAt).not.toBeNull()
    expect(listed).not.toContain(created.key.split('_')[2])
  })

  test('behavior: the keeper sends a foreign token on, once an operator has chosen where', async () => {
    const payment = `0x${'ab'.repeat(32)}`
    const address = `0x${'11'.repeat(20)}`
    await sql`
      insert into app.smart_deposit_address (chain_id, address, factory,
        user_destination_address, vault_address, input_token)
      values (1, ${address}, ${address}, ${address}, ${address}, ${address})`
    await sql`
      insert into app.foreign_transfer (payment_id, chain_id, address, token, amount, tx_hash,
        log_position, block_number, block_hash)
      values (${payment}, 1, ${address}, ${`0x${'22'.repeat(20)}`}, 5, ${payment}, 0, 1, ${payment})`
    expect(await admin('smart-deposits', 'foreign')).toContain(payment)
    await admin('smart-deposits', 'settle-foreign', payment, '--how', 'recover')
    const [row] = await sql`select wanted from app.foreign_transfer`
    expect(row).toEqual({ wanted: 'recover' })
    // The text of a revert is the token's own.
    await sql`update app.foreign_transfer set error = ${'\u001b[2J\u009b1mfine\r'}`
    for (const output of [[], ['--json']]) {
      const shown = await admin(...output, 'smart-deposits', 'foreign')
      expect(shown).toContain('\\u001b[2J\\u009b1mfine')
      expect(shown).not.toMatch(/(?!\n)\p{Cc}/u)
    }
    const listed = await admin('audit', 'list', '--subject', payment)
    expect(listed).toContain('smart_deposit.settle_foreign')
    const unknown = admin('smart-deposits', 'settle-foreign', address, '--how', 'refund')
    await expect(unknown).rejects.toThrow('There is no foreign transfer')
    expect(await admin('smart-deposits', 'retained')).toContain('No deposit is retained')
    await expect(admin('smart-deposits', 'retry', payment)).rejects.toThrow('No deposit')
  })

  test('behavior: what the keeper cannot place or explain is listed, and looked at again at once', async () => {
    expect(await admin('smart-deposits', 'unplaced')).toContain('All transfers are placed')
    expect(await admin('smart-deposits', 'unexplained')).toContain('All balances are explained')
    const address = `0x${'33'.repeat(20)}`
    const hash = `0x${'cd'.repeat(32)}`
    await sql`
      insert into app.smart_deposit_address (chain_id, address, factory,
        user_destination_address, vault_address, input_token)
      values (1, ${address}, ${address}, ${address}, ${address}, ${address})`
    await sql`
      insert into app.unplaced_transfer (chain_id, block_number, block_hash, log_index, tx_hash,
        address, token, amount, error, look_at)
      values (1, 7, ${hash}, 0, ${hash}, ${address}, ${address}, 5, 'no node has its receipt',
        now() + interval '1 hour')`
    await sql`
      insert into app.unexplained_balance (chain_id, address, token, amount, search_at)
      values (1, ${address}, ${address}, 6, now() + interval '1 hour')`
    const unplaced = await admin('smart-deposits', 'unplaced')
    for (const part of [hash, address, 'no node has its receipt']) expect(unplaced).toContain(part)
    expect(await admin('smart-deposits', 'unexplained')).toContain(address)
    expect(await admin('smart-deposits', 'look-again')).toContain('Looked at again: 2')
    const [due] = await sql`
      select count(*)::integer as count from app.unplaced_transfer u
      join app.unexplained_balance b using (chain_id, address)
      where u.look_at <= now() and b.search_at <= now()`
    expect(due).toEqual({ count: 1 })
    const listed = await admin('audit', 'list', '--limit', '1')
    expect(listed).toContain('smart_deposit.look_again')
  })

  test('behavior: quotes of one route or of all are stopped and go on, with audit entries', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-admin-'))
    const file = join(folder, 'book.json')
    await writeFile(file, JSON.stringify(localAddressBook(DEPLOYMENT, [1, 4663])))
    const transit = (...parameters: string[]) => admin('--json', 'transit', ...parameters)
    await transit('pause', '1:usdc-4663:USDG', '--reason', 'a test', '--file', file)
    const routes = JSON.parse(await transit('routes', '--file', file))
    const stopped = routes.filter(({ quotes }: Record<string, string>) => quotes === 'stopped')
    expect(stopped).toMatchObject([{ route: '1:USDC-4663:USDG', reason: 'a test' }])
    await transit('pause', '--reason', 'all')
    expect(await admin('transit', 'resume')).toContain('stopped still: 1')
    await transit('resume', '1:USDC-4663:USDG', '--file', file)
    const misspelt = transit('pause', '1:USDC-4663:USDX', '--reason', 'x', '--file', file)
    await expect(misspelt).rejects.toThrow('The address book has no route')
    const audit = JSON.parse(await admin('--json', 'audit', 'list', '--limit', '4'))
    expect(audit).toMatchObject([
      { action: 'transit.resume', details: { reason: 'a test' } },
      { action: 'transit.resume', subject: 'all' },
      { action: 'transit.pause', subject: 'all', actor: `cli:${userInfo().username}` },
      { action: 'transit.pause', subject: expect.stringMatching(/^1:0x.*>4663:0x/) },
    ])
    await rm(folder, { recursive: true })
  })

  test('behavior: permissions, rotation, and their audit entries', async () => {
    await admin('organizations', 'create', 'Bold')
    const create = ['--json', 'keys', 'create', '--organization', 'Bold', '--name', 'server']
    const created = JSON.parse(
      await admin(...create, '--permission', 'webhooks', '--permission', 'earn:read,earn:prepare'),
    )
    expect(created.permissions).toEqual(['earn:prepare', 'earn:read', 'webhooks'])
    const rotated = JSON.parse(
      await admin('keys', 'rotate', created.publicId, '--overlap', '1h', '--json'),
    )
    expect(Date.parse(rotated.replaced.expiresAt) - Date.now()).toBeGreaterThan(3_500_000)
    for (const { key, publicId } of [created, rotated]) {
      const { permissions } = await authenticateKey({ sql, appSecret }, key)
      expect([publicId, permissions]).toEqual([publicId, created.permissions])
    }
    expect(await admin('keys', 'list', '--organization', 'Bold')).toContain(
      'server  earn:prepare,earn:read,webhooks',
    )
    expect(await admin('keys', 'rename', created.publicId, 'backend')).toContain('Renamed')
    const keys = JSON.parse(await admin('--json', 'keys', 'list', '--organization', 'Bold'))
    expect(keys).toMatchObject([
      { name: 'backend', createdBy: 'operator', rotatedTo: rotated.publicId },
      { name: 'server', rotatedFrom: created.publicId },
    ])
    const audit = await admin('--json', 'audit', 'list', '--subject', created.publicId)
    expect(JSON.parse(audit)).toMatchObject([
      { action: 'key.rename', details: { name: 'backend', before: 'server' } },
      { action: 'key.rotate', actor: `cli:${userInfo().username}`, subject: created.publicId },
      { action: 'key.create', details: { permissions: created.permissions, name: 'server' } },
    ])
    const all = await admin('audit', 'list')
    for (const { key } of [created, rotated]) expect(all).not.toContain(key.split('_')[2])
  })

  test('behavior: members get roles and are removed, invitations are revoked, with audit entries', async () => {
    await admin('organizations', 'create', 'Members')
    const members = async (...parameters: string[]) =>
      JSON.parse(await admin('--json', 'members', ...parameters))
    const of = ['--organization', 'Members']
    for (const [name, role] of [
      ['ada', 'owner'],
      ['bo', 'viewer'],
    ] as const) {
      const { link } = await members('invite', `${name}@members.example`, ...of, '--role', role)
      await acceptInvitation(sql, {
        token: link.split('#')[1],
        userId: null,
        async createAccount(transaction, email) {
          await transaction`
            insert into app.console_user (id, email, name, email_verified)
            values (${name}, ${email}, ${name}, true)`
          return name
        },
      })
    }
    const lastOwner = members('set-role', 'ada', ...of, '--role', 'viewer')
    await expect(lastOwner).rejects.toThrow('only owner')
    await expect(members('remove', 'ada@members.example', ...of)).rejects.toThrow('only owner')
    await members('set-role', 'Bo@members.example', ...of, '--role', 'owner')
    await members('remove', 'ada', ...of)
    expect(await members('list', ...of)).toMatchObject([{ userId: 'bo', role: 'owner' }])
    await expect(members('remove', 'ada', ...of)).rejects.toThrow('no member')

    const open = async (...parameters: string[]) =>
      (await members('invitations', ...parameters)).map(({ email }: { email: string }) => email)
    const invited = await members('invite', 'cy@members.example', ...of, '--role', 'viewer')
    const operator = await members('invite', 'op@members.example', '--operator')
    expect([await open(...of), await open()]).toEqual([
      ['cy@members.example'],
      ['op@members.example'],
    ])
    // An organization's invitation is none of the operators', and the other way round.
    for (const elsewhere of [
      ['revoke-invitation', invited.id],
      ['revoke-invitation', operator.id, ...of],
    ])
      await expect(members(...elsewhere)).rejects.toThrow('was used or revoked')
    await members('revoke-invitation', invited.id, ...of)
    await members('revoke-invitation', operator.id)
    expect([await open(...of), await open()]).toEqual([[], []])
    await expect(findInvitation(sql, operator.link.split('#')[1])).rejects.toThrow('revoked')
    const audit = JSON.parse(await admin('--json', 'audit', 'list', '--limit', '6'))
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'member.revoke_invitation',
      'member.revoke_invitation',
      'member.invite',
      'member.invite',
      'member.remove',
      'member.change_role',
    ])
  })

  test('behavior: an operator is ended, with the invitations that only an operator makes', async () => {
    const create = async (name: string): Promise<string> =>
      JSON.parse(await admin('--json', 'organizations', 'create', name)).id
    const [owned, foreign] = [await create('Owned'), await create('Foreign')]
    const members = async (...parameters: string[]) =>
      JSON.parse(await admin('--json', 'members', ...parameters))
    const email = 'opal@operators.example'
    const { link } = await members('invite', email, '--operator')
    await acceptInvitation(sql, {
      token: link.split('#')[1],
      userId: null,
      async createAccount(transaction) {
        await transaction`
          insert into app.console_user (id, email, name, email_verified)
          values ('opal', ${email}, 'Opal', true)`
        return 'opal'
      },
    })
    await sql`
      insert into app.organization_member (organization_id, user_id, role)
      values (${owned}, 'opal', 'owner')`
    const ask = (organizationId: string) =>
      memberCaller(sql, { userId: 'opal', authenticatedAt: new Date() }, organizationId)
    expect((await ask(foreign)).changes).toContain('admin')

    const again = await members('invite', email, '--operator')
    const asOpal = { sql, actor: 'member:opal' }
    const inviteTo = (organizationId: string, name: string) =>
      invite(asOpal, {
        email: `${name}@operators.example`,
        membership: { organizationId, role: 'viewer' },
      })
    const left = await inviteTo(foreign, 'one')
    await inviteTo(owned, 'two')
    await members('remove', 'Opal@operators.example', '--operator')

    await expect(ask(foreign)).rejects.toThrow('no member')
    expect((await ask(owned)).changes).not.toContain('admin')
    await expect(inviteTo(foreign, 'three')).rejects.toThrow('may not invite')
    expect(await members('list')).not.toContainEqual(expect.objectContaining({ userId: 'opal' }))
    expect(await members('invitations')).toEqual([])
    expect(await members('invitations', '--organization', 'Foreign')).toEqual([])
    expect(await members('invitations', '--organization', 'Owned')).toHaveLength(1)
    const [entry] = JSON.parse(await admin('--json', 'audit', 'list', '--limit', '1'))
    expect(entry).toMatchObject({
      action: 'member.remove',
      subject: 'opal',
      details: { isOperator: true, endedInvitations: [again.id, left.id] },
    })
    expect(await sql`select organization_id from app.audit order by id desc limit 1`).toMatchObject(
      [{ organization_id: null }],
    )
    for (const who of [email, 'opal', 'nobody'])
      await expect(members('remove', who, '--operator')).rejects.toThrow('no operator')
  })

  test('behavior: settings are set and shown', async () => {
    await admin('organizations', 'create', 'Calm')
    const options = ['--slippage-bps', '7', '--settle-on-submit', 'true']
    options.push('--require-second-factor', 'true')
    await admin('organizations', 'set', 'Calm', ...options, '--rate-limit-tier', 'high')
    expect(JSON.parse(await admin('--json', 'organizations', 'show', 'Calm'))).toMatchObject({
      name: 'Calm',
      slippageBps: 7,
      settleOnSubmit: true,
      requiresSecondFactor: true,
      rateLimitTier: 'high',
      defaultDistributorCode: null,
    })
  })

  test('behavior: the builds of the index are listed, and another is ordered', async () => {
    expect(await admin('index', 'list')).toBe('There are no builds yet\n')
    await sql`
      insert into app.index_build (postgres_schema, chain_id, build_hash, state, error)
      values ('index_1_a', 1, 'a', 'failed', 'no node of chain 1 answers')`
    await admin('index', 'rebuild', '1', '--reason', 'to be sure')
    expect(JSON.parse(await admin('--json', 'index', 'list'))).toMatchObject([
      { chain: '1', build: 'index_1_a', state: 'failed', block: null, rebuild: 'to be sure' },
    ])
    expect(await sql`select generation from app.index_rebuild`).toMatchObject([{ generation: 1 }])
    expect(JSON.parse(await admin('--json', 'audit', 'list', '--limit', '1'))).toMatchObject([
      { action: 'index.rebuild', subject: '1', details: { reason: 'to be sure' } },
    ])
  })

  test.each([
    [['index', 'rebuild', '5', '--reason', 'x'], 'There is no index of chain 5'],
    [['index', 'rebuild', 'x', '--reason', 'x'], 'expected the id of a chain'],
    [['index', 'rebuild', '1'], 'required option'],
    [['keys', 'create', '--organization', 'Nobody'], 'There is no organization "Nobody"'],
    [['keys', 'create'], "required option '--organization <name|id>' not specified"],
    [['keys', 'create', '--organization', 'Acme', '--expires', '0d'], 'expected a duration'],
    [
      ['keys', 'create', '--organization', 'Acme', '--expires', '2020-01-01T00:00:00Z'],
      'expected a future time',
    ],
    [
      ['keys', 'create', '--organization', 'Acme', '--permission', 'earn:write'],
      'API keys have no permission "earn:write"; there are earn:read, earn:prepare',
    ],
    [
      ['keys', 'create', '--organization', 'Acme', '--permission', 'members'],
      'API keys have no permission "members"',
    ],
    [['keys', 'rotate', 'x'], 'There is no key'],
    [['keys', 'rename', 'x', 'a'], 'There is no key'],
    [['keys', 'rename', 'x', 'a\u0007'], 'none of them a control character'],
    [['organizations', 'set', 'Acme', '--rate-limit-tier', 'huge'], 'Allowed choices are standard'],
    [['organizations', 'show', 'Nobody'], 'There is no organization'],
    [['audit', 'list', '--limit', '0'], 'expected an integer'],
    [['keys', 'revoke', 'x'], 'There is no key'],
    [['members', 'remove', 'ada'], 'either --organization or --operator'],
    [
      ['members', 'remove', 'ada', '--organization', 'Acme', '--operator'],
      'either --organization or --operator',
    ],
    [['organizations', 'create', ''], 'expected 1 to 100 characters'],
  ])('error: %j', async (parameters, message) => {
    expect(await endedCommand(runAdmin, parameters, environment())).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })
})

describe('the process', () => {
  const spawn = (...parameters: string[]) =>
    spawnedCommand('cli/admin.ts', parameters, environment())

  test('default: prints the result', async () => {
    const { code, stdout, stderr } = await spawn('--json', 'organizations', 'create', 'Dash')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Dash' })
  })

  test('error: ends with 1, without a stack', async () => {
    const [refused, unknown] = await Promise.all([
      spawn('keys', 'revoke', 'x'),
      spawn('keys', 'revoke'),
    ])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^error: There is no key .*\n$/)
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('missing required') })
  })
})

describe('findAdminConnection', () => {
  test('behavior: the local start, where nothing is set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-admin-'))
    const databaseUrl = 'postgres://postgres:x@127.0.0.1:1/postgres'
    writeRunFile(folder, {
      apiUrl: '',
      consoleUrl: '',
      graphqlUrl: '',
      apiKey: '',
      rpcUrls: {},
      databaseUrl,
      addressBook: '',
      shield: null,
      accounts: [],
      devnetCommand: [],
      pids: {},
    })
    // With secrets of its own, it would make keys that the running service refuses.
    await expect(findAdminConnection({}, folder)).rejects.toThrow('run npm start first')
    await saveSecrets(folder, {
      appSecret: appSecret.toString('hex'),
      secretsKey: secretsKey.toString('hex'),
      postgresPassword: '',
      apiKey: null,
    })
    expect(await findAdminConnection({}, folder)).toEqual({
      databaseUrl,
      appSecret,
      secretsKey,
      // Over local nodes any target is allowed.
      allowPrivate: true,
    })
    await rm(folder, { recursive: true })
  })

  test.each([
    [{}, 'run npm start first'],
    [{ DATABASE_URL: 'postgres://x' }, 'APP_SECRET: is not set'],
    [{ APP_SECRET: 'ab'.repeat(32) }, 'DATABASE_URL: is not set'],
    [{ DATABASE_URL: 'postgres://x', APP_SECRET: 'short' }, 'APP_SECRET: expected 32 bytes'],
  ])('error: %j', async (environment, message) => {
    await expect(findAdminConnection(environment, '/nonexistent')).rejects.toThrow(message)
  })
})
