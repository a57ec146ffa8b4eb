import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiReplicas, startApiReplicas } from '../support/apiReplicas.ts'
import { dawdle, holdIdle, sendOversized } from '../support/attacks.ts'
import { watchHealth } from '../support/healthWatch.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../support/postgres.ts'

/** How long each attack lasts. */
const SECONDS = 3

let database: TestDatabase
let apis: ApiReplicas
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  apis = await startApiReplicas(database.url, [{ MAX_CONNECTIONS: '1000' }])
})
afterAll(async () => {
  await apis?.stop()
  await database?.drop()
})

test.each([
  ['slow-loris', dawdle, 200],
  ['bodies of 1 MB', sendOversized, 20],
  ['idle connections', holdIdle, 900],
])('behavior: bears %s', async (_, attack, connections) => {
  const [api] = apis.replicas
  if (!api) throw new Error('there is no replica')
  const health = watchHealth(api.url)
  // On a busy machine one attack is over before the api was asked often enough.
  do await attack({ port: api.port, connections, seconds: SECONDS })
  while (health.asked() <= 3)
  const { milliseconds, missed } = await health.stop()
  expect(missed).toBe(0)
  expect(milliseconds.length).toBeGreaterThan(3)
  const response = await fetch(`${api.url}${apis.orderPath}`)
  expect(response.status).toBe(200)
  await response.text()
})
