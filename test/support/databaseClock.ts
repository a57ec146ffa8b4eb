import { inject } from 'vitest'
import { connect } from '../../db/sql.ts'
import { withDatabase } from './postgres.ts'

/** Moves the time of a database: `now()` in statements, not in the defaults of columns. */
export type DatabaseClock = {
  pass(days: number): Promise<void>
  /** A day passes once events are expired, before the statement of it ends. */
  passAtExpiry(): Promise<void>
  stop(): Promise<void>
}

/** Gives a database a clock that a test moves. Only sessions that begin later have it. */
export async function createDatabaseClock(databaseUrl: string): Promise<DatabaseClock> {
  const name = new URL(databaseUrl).pathname.slice(1)
  // Only a superuser changes the settings of a database.
  const url = withDatabase(inject('superuserUrl'), name)
  const sql = connect(url, { applicationName: 'test-clock', max: 1 })
  await sql.unsafe(`
    create schema clock;
    create table clock.passed (time interval not null);
    insert into clock.passed values ('0');
    create function clock.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + time from clock.passed';
    -- Also for the function that refuses days that have not begun.
    alter function app.drop_day set search_path = clock, pg_catalog;
    grant usage on schema clock to public;
    grant select on clock.passed to public;
    do $$ begin
      execute format('alter database %I set search_path = clock, pg_catalog, public', current_database());
    end $$`)
  return {
    async pass(days) {
      await sql`update clock.passed set time = time + make_interval(days => ${days}::integer)`
    },
    async passAtExpiry() {
      await sql.unsafe(`
        create function clock.pass() returns trigger language plpgsql security definer
          as 'begin update clock.passed set time = time + make_interval(days => 1); return null; end';
        create trigger pass after update of expired on app.event_sequence
          for each statement execute function clock.pass()`)
    },
    stop: () => sql.end(),
  }
}
