import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { runKeeperCrashRounds } from './keeperCrashRounds.ts'
import { leastRounds } from './roundsWithin.ts'

/** `npm run simulate -- keeper` kills more often. */
const KILLS = 10
const SECONDS = 20

describe('killed workers', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database?.drop())

  test('behavior: every deposit ends once, every event is there once, ledger and chain agree', {
    timeout: 600_000,
  }, async () => {
    const report = await runKeeperCrashRounds({
      databaseUrl: database.url,
      kills: KILLS,
      seconds: SECONDS,
      seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
      print: () => {},
    })
    expect(report.deposits).toBeGreaterThan(leastRounds(KILLS))
    expect(report.endings.finalized).toBeGreaterThan(0)
  })
})
