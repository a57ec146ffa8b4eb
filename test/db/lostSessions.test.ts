import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

/** Sessions that Postgres ends in the middle of a transaction: what patches/ changes in the driver. */

const NAME = 'test-lost'
let database: TestDatabase
/** One session, so that the next transaction has the connection of the one that was lost. */
let sql: Sql
let observer: Sql
beforeAll(async () => {
  database = await createTestDatabase()
  observer = connect(database.url, { applicationName: 'test', max: 2 })
  await observer`create table app.note (words text not null)`
  await observer`create table app.account (id integer primary key, amount integer not null)`
})
beforeEach(async () => {
  sql = connect(database.url, { applicationName: NAME, max: 1 })
  await observer`truncate app.note, app.account`
  return () => sql.end({ timeout: 1 })
})
afterAll(async () => {
  await observer.end()
  await database.drop()
})

const endSession = (pid: number) => observer`select pg_terminate_backend(${pid})`.execute()
const notes = async () =>
  (await observer<{ words: string }[]>`select words from app.note order by words`).map(
    ({ words }) => words,
  )

test('error: a session that ends during a statement is an error of that transaction alone', async () => {
  const lost = sql.begin(async (transaction) => {
    const [session] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`
    setTimeout(() => endSession(session?.pid ?? 0), 50)
    await transaction`select pg_sleep(5)`
  })
  await expect(lost).rejects.toMatchObject({
    code: expect.stringMatching(/CONNECTION_CLOSED|57P01/),
  })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('error: a reserved session that has ended refuses statements', async () => {
  const session = await sql.reserve()
  const [own] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
  await endSession(own?.pid ?? 0)
  const codes = []
  for (let index = 0; index < 3; index += 1)
    codes.push(await session`select 1`.catch(({ code }: { code: string }) => code))
  expect(codes.slice(1)).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
})

test('behavior: a transaction that lost its session writes nothing in the next one', async () => {
  const { promise: isOthersTurn, resolve: giveTurn } = Promise.withResolvers<void>()
  let late: unknown
  const lost = sql.begin(async (transaction) => {
    const [session] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`
    await transaction`insert into app.note values ('first, before')`
    await endSession(session?.pid ?? 0)
    await isOthersTurn
    late = await transaction`insert into app.note values ('first, after')`.catch(
      (error: { code: string }) => error.code,
    )
  })
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await sql.begin(async (transaction) => {
    await transaction`insert into app.note values ('second')`
    giveTurn()
    await expect.poll(() => late).toBeDefined()
  })
  expect([late, await notes()]).toEqual(['CONNECTION_CLOSED', ['second']])
})

test('behavior: sessions that end at random leave nothing waiting, and nothing half done', async () => {
  const pool = connect(database.url, { applicationName: NAME, max: 4 })
  await observer`insert into app.account select id, 0 from generate_series(1, 4) as id`
  const until = Date.now() + 2_000
  const outcomes = { done: 0, lost: 0 }
  const pay = async () => {
    while (Date.now() < until)
      await pool
        .begin(async (transaction) => {
          await transaction`update app.account set amount = amount - 1 where id = 1`
          await sleep(2)
          await Promise.all([
            transaction`insert into app.note values ('paid')`,
            transaction`update app.account set amount = amount + 1 where id = 2`,
          ])
        })
        .then(
          () => (outcomes.done += 1),
          () => (outcomes.lost += 1),
        )
  }
  const endSessions = async () => {
    while (Date.now() < until) {
      await observer`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = ${NAME} and datname = current_database() order by random() limit 1`
      await sleep(25)
    }
  }
  await Promise.all([endSessions(), ...Array.from({ length: 8 }, pay)])
  expect(await pool`select 1 as one`).toEqual([{ one: 1 }])
  await pool.end({ timeout: 1 })
  const paid = (await notes()).length
  expect(await observer`select amount from app.account where id <= 2 order by id`).toEqual([
    { amount: -paid },
    { amount: paid },
  ])
  // A commit whose answer was lost is one of both.
  expect(paid).toBeGreaterThanOrEqual(outcomes.done)
  expect(outcomes.done).toBeGreaterThan(0)
  expect(outcomes.lost).toBeGreaterThan(0)
})
