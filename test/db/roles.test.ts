import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseSetupError } from '../../db/databaseSetupError.ts'
import { migrate } from '../../db/migrate.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../support/postgres.ts'

type Process = 'api' | 'worker' | 'indexer'

let database: TestDatabase
const clients: Partial<Record<Process | 'owner', pg.Client>> = {}

beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  const urls = {
    owner: database.url,
    api: asProcessRole(database.url, 'api'),
    worker: asProcessRole(database.url, 'worker'),
    indexer: asProcessRole(database.url, 'indexer'),
  }
  for (const [name, connectionString] of Object.entries(urls)) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    clients[name as Process] = client
  }
})
afterAll(async () => {
  for (const client of Object.values(clients)) await client.end()
  await database.drop()
})

function clientOf(role: Process | 'owner'): pg.Client {
  const client = clients[role]
  if (!client) throw new Error(`${role} is not connected`)
  return client
}

/** The code of the error of a statement, which is not kept; null if it may run. */
async function refusal(role: Process | 'owner', statement: string): Promise<string | null> {
  const client = clientOf(role)
  await client.query('begin')
  try {
    await client.query(statement)
    return null
  } catch (error) {
    return (error as pg.DatabaseError).code ?? String(error)
  } finally {
    await client.query('rollback')
  }
}

const DENIED = '42501'
const FACT = `insert into facts.chain_head values (9, 1, '0x', 1, '0x', true)`
const EVERY_TABLE = `
  select quote_ident(relname) as name from pg_class
  where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') order by 1`

describe('what a role must not do', () => {
  test.each<[Process, string]>([
    ['api', FACT],
    ['api', 'delete from facts.transit_source'],
    ['api', 'create view read.mine as select 1'],
    ['api', 'drop view read.chain_progress'],
    ['api', `update app.index_build set state = 'served'`],
    ['api', 'select sealed from app.webhook_secret'],
    ['api', 'select * from app.webhook_secret'],
    ['api', 'select sealed from app.webhook_header'],
    ['api', 'update app.event set body = body'],
    ['api', 'delete from app.event'],
    ['api', 'delete from app.event_sequence'],
    ['api', 'delete from app.audit'],
    ['api', `update app.audit set actor = 'nobody'`],
    ['api', 'delete from app.webhook_delivery'],
    ['api', 'update app.smart_deposit set tries = 0'],
    ['api', 'select * from app.seen_fact'],
    ['api', 'drop table app.organization'],
    ['api', 'create table app.mine (id integer)'],
    ['api', 'create schema mine'],
    ['api', 'set role causeway'],
    ['api', 'set role causeway_worker'],
    ['worker', FACT],
    ['worker', 'drop table app.event'],
    ['worker', 'truncate app.event'],
    ['worker', 'delete from app.event'],
    ['worker', 'delete from app.event_kept'],
    ['worker', 'delete from app.webhook_attempt'],
    ['api', `select app.drop_day('app.event', current_date - 1)`],
    ['api', `select app.make_day('app.event', current_date)`],
    ['worker', 'drop view read.chain_progress'],
    ['worker', 'drop schema graphile_worker cascade'],
    ['worker', 'create schema mine'],
    ['worker', 'create table app.mine (id integer)'],
    ['worker', 'select * from app.api_key'],
    ['worker', 'select * from app.console_session'],
    ['worker', 'insert into app.webhook_secret (endpoint_id) values (gen_random_uuid())'],
    ['worker', `update app.webhook_endpoint set url = 'https://other.example'`],
    ['worker', 'set role causeway'],
    ['indexer', 'select * from app.api_key'],
    ['indexer', 'select * from app.webhook_secret'],
    ['indexer', 'select * from app.webhook_endpoint'],
    ['indexer', 'select * from app.console_credential'],
    ['indexer', 'select * from app.console_two_factor'],
    ['indexer', 'select * from app.organization'],
    ['indexer', 'select * from app.event'],
    ['indexer', 'select * from app.request_log'],
    ['indexer', 'select * from graphile_worker._private_jobs'],
    ['indexer', 'drop table app.index_build'],
    ['indexer', 'set role causeway'],
  ])('error: %s: %s', async (role, statement) => {
    const code = await refusal(role, statement)
    // Postgres checks the rights before it looks at values.
    expect({ statement, code }).toEqual({ statement, code: DENIED })
  })

  test('behavior: of the tables of app, the indexer reads those of builds alone', async () => {
    const { rows } = await clientOf('owner').query<{ name: string }>(EVERY_TABLE)
    const open: string[] = []
    for (const { name } of rows)
      if (!(await refusal('indexer', `select from app.${name}`))) open.push(name)
    expect(open).toEqual(['index_build', 'index_high_water', 'index_rebuild', 'migration'])
  })

  test('behavior: each table of app is in db/roles.sql: some process needs it', async () => {
    const { rows } = await clientOf('owner').query<{ name: string }>(`
      select c.relname as name from pg_class c
      where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p')
        -- What goes through their table needs no right to partitions.
        and not c.relispartition and not exists (
        select from unnest(array['causeway_indexer', 'causeway_api', 'causeway_worker']) role
        where has_any_column_privilege(role, c.oid, 'select, insert, update'))`)
    expect(rows).toEqual([])
  })
})

describe('what a role may do', () => {
  const organization = `insert into app.organization (name) values ('Acme') returning id`
  const event = `
    insert into app.event (id, organization_id, organization_sequence, resource, resource_sequence, type, created_at, body)
    select 'evt_1', id, 1, 'smart_deposit:0x1', 1, 'smart_deposit.deposit.pending', now(), '{}' from app.organization`

  test.each<[Process, string]>([
    ['api', event],
    ['worker', event],
    ['worker', `select app.drop_day('app.event', current_date - 1)`],
    ['worker', `select app.make_day('app.event', current_date)`],
  ])('default: %s: %s', async (role, statement) => {
    await clientOf('owner').query(organization)
    try {
      expect(await refusal(role, statement)).toBeNull()
    } finally {
      await clientOf('owner').query(`delete from app.organization where name = 'Acme'`)
    }
  })

  test('error: the worker drops no day that is not over', async () => {
    for (const table of ['app.event', 'app.webhook_delivery_ended', 'app.webhook_attempt']) {
      const drop = `select app.drop_day('${table}', (now() at time zone 'utc')::date + 1)`
      expect(await refusal('worker', drop)).toBe('P0001')
    }
  })

  test.each(['api', 'worker'] as const)(
    'error: %s writes no report but with an event',
    async (role) => {
      expect(await refusal(role, `update app.smart_deposit_report set timeline = '[]'`)).toBe(
        DENIED,
      )
    },
  )
})

describe('migrate', () => {
  const roleUrl = () => asProcessRole(database.url, 'api')

  test('default: with the role of a process, it only looks', async () => {
    await migrate(roleUrl())
  })

  test('error: a missing migration is the business of the owner', async () => {
    const owner = clientOf('owner')
    const { rows } = await owner.query<{ name: string; run_on: Date }>(
      'delete from app.migration where id = (select max(id) from app.migration) returning name, run_on',
    )
    await expect(migrate(roleUrl())).rejects.toThrow(DatabaseSetupError)
    await expect(migrate(roleUrl())).rejects.toThrow('lacks 1 migrations of this version')
    await owner.query('insert into app.migration (name, run_on) values ($1, $2)', [
      rows[0]?.name,
      rows[0]?.run_on,
    ])
    await migrate(roleUrl())
  })

  test('behavior: a right that the list lacks is taken away; one that it has is given', async () => {
    const owner = clientOf('owner')
    const reads = `select * from app.api_key`
    await owner.query('grant select on app.api_key to causeway_worker')
    await owner.query('revoke select on app.api_key from causeway_api')
    expect([await refusal('worker', reads), await refusal('api', reads)]).toEqual([null, DENIED])
    // A migration changes this comment too: it marks the state for which rights were given.
    await owner.query('comment on schema app is null')
    await migrate(database.url)
    expect([await refusal('worker', reads), await refusal('api', reads)]).toEqual([DENIED, null])
  })

  test('behavior: a restored dump lacks the rights of later tables, though all else is the same', async () => {
    const lost = (kind: string) =>
      clientOf('indexer').query(
        `alter default privileges revoke all on ${kind} from causeway_api, causeway_worker`,
      )
    await lost('tables')
    await lost('schemas')
    await migrate(database.url)
    await clientOf('indexer').query('create schema later; create table later.fact (id integer)')
    expect(await refusal('worker', 'select from later.fact')).toBeNull()
    await clientOf('indexer').query('drop schema later cascade')
  })

  test('behavior: what the owner made of the index is handed over, and read by the others', async () => {
    const owner = clientOf('owner')
    await owner.query(
      'create schema index_7_aaaaaaaaaaaa; create table index_7_aaaaaaaaaaaa.fact (id integer)',
    )
    expect(await refusal('api', 'select * from index_7_aaaaaaaaaaaa.fact')).toBe(DENIED)
    await migrate(database.url)
    for (const role of ['api', 'worker'] as const) {
      expect(await refusal(role, 'select * from index_7_aaaaaaaaaaaa.fact')).toBeNull()
      expect(await refusal(role, 'insert into index_7_aaaaaaaaaaaa.fact values (1)')).toBe(DENIED)
    }
    expect(await refusal('indexer', 'drop schema index_7_aaaaaaaaaaaa cascade')).toBeNull()
  })
})
