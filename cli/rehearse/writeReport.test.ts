import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getRehearsal } from '../../domain/rehearsal/getRehearsal.ts'
import {
  REPORT_LIMITS,
  type RehearsalReport,
  rehearsalReportFile,
} from '../../domain/rehearsal/rehearsalReport.ts'
import { writeReport } from './writeReport.ts'

const REPORT: RehearsalReport = {
  ranAt: '2026-11-26T08:00:00.000Z',
  chainIds: [1],
  blocks: 20_000,
  seconds: 60,
  lines: [],
  calls: {},
  use: [],
  callsPerDay: 0,
  usdPerDay: 0,
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-report-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('behavior: whatever a node says, the api can read the report, and errors come first', async () => {
  const path = rehearsalReportFile(join(folder, 'new'))
  const ok = { level: 'ok', check: 'a', message: 'b', advice: null } as const
  const error = { level: 'error', check: 'node', message: 'x'.repeat(1e6), advice: 'y' } as const
  const lines = [...Array.from({ length: REPORT_LIMITS.lines }, () => ok), error]
  await writeReport(path, { ...REPORT, lines })
  const read = await getRehearsal({ rehearsalReport: path })
  expect(read).toMatchObject({ blocks: 20_000, ranAt: REPORT.ranAt })
  expect(read.lines).toHaveLength(REPORT_LIMITS.lines)
  expect(read.lines[0]?.message).toMatch(/^x{499}…$/)
  expect(await readdir(join(folder, 'new'))).toEqual(['rehearsal-report.json'])
})
