import { describe, expect, test } from 'vitest'
import { systemPostgres } from '../support/systemPostgres.ts'
import { runRestoreDrill } from './restoreDrill.ts'

const binaries = systemPostgres()

// Skipped without Debian's package `postgresql`: the Postgres of npm has no pg_dump.
describe.skipIf(binaries === null)('backup, loss of everything, restore', () => {
  // It takes four minutes alone.
  const timeout = 900_000
  test('behavior: no event is lost, doubled or out of sequence, and no payment is settled twice', {
    timeout,
  }, async () => {
    const report = await runRestoreDrill({
      binaries: binaries ?? '',
      seconds: 5,
      seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
      print: () => {},
    })
    expect(report.orders).toBeGreaterThan(3)
    expect(report.keeper.endings.finalized).toBeGreaterThan(3)
    expect(report.repeated).toBeGreaterThan(0)
  })
})
