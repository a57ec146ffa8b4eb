import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getRehearsal } from './getRehearsal.ts'
import { REPORT_LIMITS, type RehearsalReport } from './rehearsalReport.ts'

const REPORT: RehearsalReport = {
  ranAt: '2026-11-26T08:00:00.000Z',
  chainIds: [1],
  blocks: null,
  seconds: 60,
  lines: [{ level: 'ok', check: 'index', message: 'chains 1 in 4 s', advice: null }],
  calls: { 'one.example': 600 },
  use: [{ chainId: 1, method: 'eth_getLogs', callsPerDay: 43_200 }],
  callsPerDay: 43_200,
  usdPerDay: 0.09,
}
const LINE = { level: 'error', check: 'a', message: 'b', advice: 'c' } as const

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-rehearsal-'))
  path = join(folder, 'report.json')
})
afterEach(() => rm(folder, { recursive: true }))

const read = () => getRehearsal({ rehearsalReport: path })

test('default: the file, as it is at the time', async () => {
  await writeFile(path, JSON.stringify(REPORT))
  expect(await read()).toEqual(REPORT)
  await writeFile(path, JSON.stringify({ ...REPORT, seconds: 61 }))
  expect((await read()).seconds).toBe(61)
})

test('error: none is named, or none is there', async () => {
  const refused = { reason: 'REHEARSAL_NOT_FOUND' }
  await expect(getRehearsal({ rehearsalReport: null })).rejects.toMatchObject(refused)
  await expect(read()).rejects.toMatchObject(refused)
})

test.each([
  ['text', 'no report'],
  ['another form', '{"lines":[]}'],
  ['a line of another level', JSON.stringify({ ...REPORT, lines: [{ ...LINE, level: 'bad' }] })],
  [
    'more lines than a report has',
    JSON.stringify({ ...REPORT, lines: Array(REPORT_LIMITS.lines + 1).fill(LINE) }),
  ],
  [
    'a text without end',
    JSON.stringify({
      ...REPORT,
      lines: [{ ...LINE, message: 'b'.repeat(REPORT_LIMITS.characters + 1) }],
    }),
  ],
  ['a file without end', JSON.stringify(REPORT).padStart(REPORT_LIMITS.bytes + 1)],
])('error: %s is no report', async (_, text) => {
  await writeFile(path, text)
  await expect(read()).rejects.toMatchObject({
    reason: 'REHEARSAL_NOT_FOUND',
    message: expect.stringContaining('not a report'),
  })
})
