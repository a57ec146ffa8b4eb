import { expect, onTestFinished, test } from 'vitest'
import { createConsole } from '../../api/console/createConsole.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import type { TestApi } from '../support/api.ts'
import { CONSOLE_ORIGIN } from '../support/consoleClient.ts'
import { joinConsole, reasonOf } from '../support/consoleMembers.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { type PausingProxy, startPausingProxy } from '../support/pausingProxy.ts'
import { createTestDatabase, INDEX_TEMPLATE_DATABASE } from '../support/postgres.ts'

/** The answers to a signed-in browser while the console cannot read its session. */

type World = { api: TestApi; proxy: PausingProxy; answers(): Promise<unknown[]> }

/** An api whose console reaches its database through a proxy, and the answers to a browser that is signed in there. */
async function startWorld(): Promise<World> {
  const database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  const proxy = await startPausingProxy(database.url)
  onTestFinished(async () => {
    await proxy.stop()
    await database.drop()
  })
  const api = await startFreshApi({
    databaseUrl: database.url,
    trustedProxies: ['127.0.0.1'],
    console: ({ appSecret }) =>
      createConsole({
        databaseUrl: proxy.url,
        appSecret,
        origin: CONSOLE_ORIGIN,
        oidc: null,
        hasLocalSignIn: false,
      }),
  })
  const { id } = await createOrganization(api.administrator, 'Acme')
  const client = await joinConsole(api, { name: 'ada', organizationId: id, role: 'owner' })
  const answers = async () =>
    (
      await Promise.all([
        client.console('/session'),
        client.console('/sessions'),
        client.graphql('{ __typename }', id),
      ])
    ).map(reasonOf)
  return { api, proxy, answers }
}

/** Runs `act` while statements of the console wait for the sessions. */
async function whileReading({ api, answers }: World, act: () => Promise<unknown>) {
  const { sql } = api.context
  return sql.begin(async (transaction) => {
    await transaction`lock table app.console_session in access exclusive mode`
    const asked = answers()
    await expect
      .poll(
        () => sql`
        select 1 from pg_locks where relation = 'app.console_session'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      )
      .toHaveLength(3)
    await act()
    return asked
  })
}

const ENDS: Record<string, (world: World) => Promise<unknown>> = {
  'is gone': async ({ proxy, answers }) => {
    await proxy.stop()
    return answers()
  },
  'is lost during a statement': (world) => whileReading(world, world.proxy.stop),
  'ends the session': (world) =>
    whileReading(
      world,
      () => world.api.context.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'causeway-console' and datname = current_database()`,
    ),
}

test.each(Object.entries(ENDS))('error: a database that %s', async (_, end) => {
  const world = await startWorld()
  expect(await world.answers()).toEqual(Array(3).fill([200, undefined]))
  expect(await end(world)).toEqual(Array(3).fill([503, 'DATABASE_UNAVAILABLE']))
})

test('error: a fault in our own tables stays a 500', async () => {
  const { api, answers } = await startWorld()
  await api.context.sql`alter table app.console_session rename column token to misplaced`
  expect(await answers()).toEqual(Array(3).fill([500, 'UNEXPECTED']))
})
