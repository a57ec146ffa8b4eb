import { beforeAll, describe, expect, test } from 'vitest'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import { sealSecret } from '../../domain/secret/sealedSecret.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { type DoctorWorld, OTHER_SECRET, textOf } from '../support/doctorWorld.ts'

const HOUR_MS = 3_600_000

/** The doctor's lines of variables, database, disk and egress. */
export function testDoctorOfMachine(world: () => DoctorWorld) {
  beforeAll(async () => {
    const endpointId = await world().insertEndpoint('https://example.com/')
    await world().sql`
      insert into app.webhook_secret (endpoint_id, sealed)
      values (${endpointId}, ${sealSecret('whsec', endpointId, Buffer.from(OTHER_SECRET, 'hex'))})`
  })

  describe('variables', () => {
    test.each<[string, NodeJS.ProcessEnv, RegExp]>([
      ['no APP_SECRET', { APP_SECRET: '' }, /^error variables: APP_SECRET: is not set/],
      [
        'half an OIDC provider',
        { CONSOLE_ORIGIN: 'https://api.example', CONSOLE_OIDC_CLIENT_ID: 'one' },
        /^error variables: CONSOLE_OIDC_ISSUER: is not set/,
      ],
      ['private webhooks', { WEBHOOK_ALLOW_PRIVATE: 'true' }, /^warning variables: WEBHOOK_ALLOW/],
    ])('%s', async (_, changed, wanted) => {
      await world().expectFound(changed, [wanted])
    })
  })

  describe('database and disk', () => {
    test('a wrong password', async () => {
      const url = new URL(world().sound.DATABASE_URL ?? '')
      url.password = 'wrong'
      await world().expectFound({ DATABASE_URL: url.href }, [
        /^error variables: DATABASE_URL: Postgres refuses the password/,
        /^error database: not checked/,
      ])
    })

    test('a newer version has migrated it', async () => {
      await world().sql`insert into app.migration (name, run_on) values ('9999_later', now())`
      const found = await diagnose(world().sound)
      await world().sql`delete from app.migration where name = '9999_later'`
      expect(found.map(textOf)).toContain(
        'error database: has migrations of a newer version: 9999_later',
      )
    })

    test('another clock, of the database and of the chains', async () => {
      const found = await world().newLines({}, { now: () => Date.now() - HOUR_MS })
      expect(found.map(textOf)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^error database: its clock differs by 3\d\d\d s/),
          expect.stringMatching(/^error node of chain 1, .* is 3\d\d\d s ahead of the clock/),
        ]),
      )
    })

    test('little disk', async () => {
      const found = await world().newLines({}, { minFreeBytes: 1024 ** 5 })
      expect(found.map(textOf)).toContainEqual(
        expect.stringMatching(/^warning disk of this machine: .* GiB free/),
      )
    })

    test('another SECRETS_KEY than that of the stored secrets', async () => {
      const found = await world().newLines({ SECRETS_KEY: 'ef'.repeat(32) })
      expect(found.map(textOf)).toContain(
        'error secrets: SECRETS_KEY does not open 1 of the 1 newest signing secrets of webhooks',
      )
    })

    test('a build that does not start', async () => {
      await world().sql`
        insert into app.index_build (postgres_schema, chain_id, build_hash, state, error)
        values ('index_1_x', 1, 'x', 'failed', 'no such block')`
      const found = await diagnose(world().sound)
      await world().sql`delete from app.index_build`
      expect(found.map(textOf)).toContain(
        'error index of chain 1: the build index_1_x does not start: no such block',
      )
    })
  })

  describe('a role that may not read everything', () => {
    const secrets =
      /^warning secrets: not checked: the role causeway_\w+ lacks the right \(permission denied for table webhook_secret\)$/
    const endpoints = /^warning webhooks: not checked: .* for table webhook_endpoint\)$/
    test.each<['owner' | 'api' | 'worker' | 'indexer', RegExp[]]>([
      ['owner', []],
      ['api', [secrets]],
      ['worker', []],
      ['indexer', [secrets, endpoints]],
    ])('%s', async (role, wanted) => {
      const owner = world().sound.DATABASE_URL ?? ''
      const DATABASE_URL = role === 'owner' ? owner : asProcessRole(owner, role)
      const found = await diagnose({ ...world().sound, DATABASE_URL })
      const texts = found.map(textOf)
      expect(texts.filter((text) => text.includes('not checked'))).toEqual(
        wanted.map((one) => expect.stringMatching(one)),
      )
      expect(texts).not.toContain('ok secrets: no signing secret is stored yet')
      expect(found.filter(({ level }) => level === 'error')).toEqual([])
      for (const { message, advice } of found)
        if (message.includes('not checked')) expect(advice).toContain('of the owner')
    })

    test('behavior: without any right in app, the other checks are made', async () => {
      const DATABASE_URL = asProcessRole(world().sound.DATABASE_URL ?? '', 'api')
      await world().sql`revoke usage on schema app from causeway_api`
      const found = await diagnose({ ...world().sound, DATABASE_URL })
      await world().sql`grant usage on schema app to causeway_api`
      const texts = found.map(textOf)
      for (const check of ['database', 'secrets', 'index', 'webhooks'])
        expect(texts).toContain(
          `warning ${check}: not checked: the role causeway_api lacks the right (permission denied for schema app)`,
        )
      expect(texts).toContainEqual(expect.stringMatching(/^ok quote signer: /))
    })
  })

  test('error: a query that fails is an error line with its reason, and ends no other check', async () => {
    const columns = {
      migration: 'name',
      webhook_secret: 'sealed',
      index_build: 'state',
      webhook_endpoint: 'status',
    }
    const renameAll = async (suffixes: [from: string, to: string]) => {
      const { sql } = world()
      for (const [table, column] of Object.entries(columns)) {
        const [from, to] = [sql(column + suffixes[0]), sql(column + suffixes[1])]
        await sql`alter table app.${sql(table)} rename column ${from} to ${to}`
      }
    }
    await renameAll(['', '_later'])
    const found = await diagnose(world().sound)
    await renameAll(['_later', ''])
    const texts = found.map(textOf)
    for (const [check, column] of [
      ['database', 'name'],
      ['secrets', 'sealed'],
      ['index', 'b.state'],
      ['webhooks', 'status'],
    ])
      expect(texts).toContainEqual(
        expect.stringMatching(`^error ${check}: not checked: column "?${column}"? does not exist$`),
      )
    expect(texts).toContainEqual(expect.stringMatching(/^ok quote signer: /))
  })

  describe('egress', () => {
    type Plant = () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>
    const plants: [string, Plant, RegExp][] = [
      [
        'an endpoint that cannot be reached',
        async () => {
          await world().insertEndpoint(`http://127.0.0.1:${world().freePort}/hooks`)
          return { WEBHOOK_ALLOW_PRIVATE: 'true' }
        },
        /^warning webhooks: 127\.0\.0\.1:\d+ cannot be reached/,
      ],
      [
        'no provider of attestations',
        () => ({ ATTESTATION_URL: `http://127.0.0.1:${world().freePort}` }),
        /^warning attestations: 127\.0\.0\.1:\d+ cannot be reached/,
      ],
      [
        'no OIDC provider',
        () => ({
          CONSOLE_ORIGIN: 'https://api.example',
          CONSOLE_OIDC_ISSUER: `http://127.0.0.1:${world().freePort}`,
          CONSOLE_OIDC_CLIENT_ID: 'one',
          CONSOLE_OIDC_CLIENT_SECRET: 'two',
        }),
        /^error OIDC provider: 127\.0\.0\.1:\d+ does not describe itself: .*ECONNREFUSED/,
      ],
    ]
    test.each(plants)('%s', async (_, plant, wanted) => {
      const changed = await plant()
      const found = await diagnose({ ...world().sound, ...changed })
      expect(found.map(textOf)).toContainEqual(expect.stringMatching(wanted))
    })
  })
}
