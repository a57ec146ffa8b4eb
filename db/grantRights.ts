import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Sql, TransactionSql } from 'postgres'
import { DatabaseSetupError } from './databaseSetupError.ts'

const RIGHTS = readFileSync(new URL('roles.sql', import.meta.url), 'utf8')
/** How many kinds of objects have default rights there. */
const DEFAULTS = RIGHTS.split('alter default privileges').length - 1

/** The roles of the processes. An installation has all of them, or none: then all processes use the owner's. */
export const PROCESS_ROLES = ['causeway_indexer', 'causeway_api', 'causeway_worker'] as const

/**
 * Gives the roles of the processes their rights (`db/roles.sql`), and the index to its role. The role of `sql` must
 * own the Postgres schema `app`. Does nothing without roles, and nothing that is done already. Throws `DatabaseSetupError`.
 */
export async function grantRights(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    const roles = await transaction<{ oid: number; name: string }[]>`
      select oid, rolname as name from pg_roles where rolname = any(${[...PROCESS_ROLES]}) order by 2`
    if (roles.length === 0) return
    await refuseUnready(
      transaction,
      roles.map(({ name }) => name),
    )
    // Grants of two sessions would change the same rows of Postgres' catalogue.
    await transaction`select pg_advisory_xact_lock(hashtext('causeway.grant_rights'))`
    const mark = await markOf(
      transaction,
      roles.map(({ oid }) => oid),
    )
    const [known] = await transaction<{ mark: string | null }[]>`
      select obj_description('app'::regnamespace, 'pg_namespace') as mark`
    if (known?.mark !== mark || (await lacksDefaults(transaction))) {
      await transaction.unsafe(RIGHTS)
      await transaction.unsafe(`comment on schema app is '${mark}'`)
    }
    await handOverIndex(transaction)
  })
}

async function refuseUnready(sql: TransactionSql, found: string[]) {
  const missing = PROCESS_ROLES.filter((name) => !found.includes(name))
  if (missing.length > 0)
    throw new DatabaseSetupError(
      `the role ${missing.join(' and the role ')} does not exist, but ${found.join(', ')} does. Create all three, or none.`,
    )
  const [may] = await sql<{ owner: string; isMember: boolean }[]>`
    select current_user as owner, pg_has_role(current_user, 'causeway_indexer', 'member') as "isMember"`
  if (!may?.isMember)
    throw new DatabaseSetupError(
      `the role ${may?.owner} is no member of causeway_indexer. Run: grant causeway_indexer to ${may?.owner}`,
    )
}

/** Changes with the rights, the migrations and the roles. */
async function markOf(sql: TransactionSql, oids: number[]): Promise<string> {
  const names = await sql<{ name: string }[]>`select name from app.migration order by name`
  const state = JSON.stringify([RIGHTS, names.map(({ name }) => name), oids])
  return `rights ${createHash('sha256').update(state).digest('hex').slice(0, 16)}`
}

/** A dump of `app` has its rights and the mark, but not those that later tables of the index get. */
async function lacksDefaults(sql: TransactionSql): Promise<boolean> {
  const rows = await sql`
    select from pg_default_acl where defaclrole = 'causeway_indexer'::regrole`
  return rows.length < DEFAULTS
}

/** Gives the indexer's role what the owner made: before there were roles, and when `read` was lost. */
async function handOverIndex(sql: TransactionSql) {
  await sql.unsafe(`do $$
    declare made record; routine regprocedure; relation regclass;
    begin
      for made in
        select n.oid, n.nspname as name from pg_namespace n
        where n.nspname in ('read', 'ponder_sync') or n.nspname ~ '^index_'
      loop
        continue when not exists (
          select from pg_namespace n where n.oid = made.oid and n.nspowner <> 'causeway_indexer'::regrole
          union all
          select from pg_class c where c.relnamespace = made.oid and c.relowner <> 'causeway_indexer'::regrole
            and c.relkind in ('r', 'p', 'v', 'S')
          union all
          select from pg_proc p where p.pronamespace = made.oid and p.proowner <> 'causeway_indexer'::regrole
        );
        execute format('alter schema %I owner to causeway_indexer', made.name);
        for relation in
          select c.oid from pg_class c where c.relnamespace = made.oid and c.relkind in ('r', 'p', 'v')
            and c.relowner <> 'causeway_indexer'::regrole
        loop
          execute format('alter table %s owner to causeway_indexer', relation);
        end loop;
        for routine in
          select p.oid from pg_proc p where p.pronamespace = made.oid
            and p.proowner <> 'causeway_indexer'::regrole
        loop
          execute format('alter routine %s owner to causeway_indexer', routine);
        end loop;
        execute format('grant usage on schema %I to causeway_api, causeway_worker', made.name);
        execute format('grant select on all tables in schema %I to causeway_api, causeway_worker', made.name);
      end loop;
    end $$`)
}
