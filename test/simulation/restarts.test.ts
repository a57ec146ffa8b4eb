import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../support/postgres.ts'
import { runRestartRounds } from './restartRounds.ts'

/** `npm run simulate -- restarts` runs more of them. */
const ROUNDS = 3

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
})
afterAll(() => database?.drop())

test('behavior: a restart of one of two replicas fails no request', async () => {
  const report = await runRestartRounds({
    databaseUrl: database.url,
    rounds: ROUNDS,
    print: () => {},
  })
  expect(report.failures).toEqual([])
  expect(report.answered).toBeGreaterThan(100)
  expect(report.longPolls).toBeGreaterThan(0)
  // A process may be short of a processor while another one starts, but not all the time.
  expect(report.overloaded).toBeLessThan(report.answered / 10)
})
