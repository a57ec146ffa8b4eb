import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { runKeeperCrashRounds } from './keeperCrashRounds.ts'

/** The short form of `npm run simulate:keeper`. */
const KILLS = 15

describe('killed workers', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database?.drop())

  test('behavior: every deposit ends once, every event is there once, ledger and chain agree', {
    timeout: 240_000,
  }, async () => {
    const report = await runKeeperCrashRounds({
      databaseUrl: database.url,
      kills: KILLS,
      seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
      print: () => {},
    })
    expect(report.deposits).toBeGreaterThan(KILLS)
    expect(report.endings.finalized).toBeGreaterThan(0)
  })
})
