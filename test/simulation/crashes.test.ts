import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { LEAST_UNCHANGED, runCrashRounds } from './crashRounds.ts'
import { leastRounds } from './roundsWithin.ts'

/** `npm run simulate -- crashes` kills more often, and checks the times. */
const KILLS = 9
const SECONDS = 30

describe('killed indexers', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database?.drop())

  test('behavior: nothing is lost, doubled, stale or older than before', {
    timeout: 600_000,
  }, async () => {
    const report = await runCrashRounds({
      databaseUrl: database.url,
      kills: KILLS,
      seconds: SECONDS,
      seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
      print: () => {},
    })
    expect(report.backMs.length).toBeGreaterThanOrEqual(leastRounds(KILLS))
    expect(report.vaultRows).toBeGreaterThan(0)
    expect(report.answers).toBeGreaterThan(100)
    expect(report.unchanged).toBeGreaterThan(LEAST_UNCHANGED)
    expect(report.lostNotifications).toBeGreaterThan(0)
  })
})
