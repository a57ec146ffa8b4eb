import { join } from 'node:path'
import { z } from 'zod'

/** What a report may have. Nodes write a part of its texts, so none is without an end. */
export const REPORT_LIMITS = { bytes: 8_000_000, lines: 500, characters: 500, counts: 2_000 }

const { lines, characters, counts } = REPORT_LIMITS
const text = z.string().max(characters)
const count = z.int().min(0)

/** The report of `npm run rehearse`: of its `--json`, and of the file that the api reads. */
export const rehearsalReport = z.object({
  ranAt: z.iso.datetime(),
  chainIds: z.array(count).max(counts),
  /** How many of the newest blocks of each chain were indexed; null for all. */
  blocks: count.nullable(),
  seconds: count,
  lines: z
    .array(
      z.object({
        level: z.enum(['ok', 'warning', 'error']),
        check: text,
        message: text,
        advice: text.nullable(),
      }),
    )
    .max(lines),
  /** The calls of the command by host; those of its indexer are in its line. */
  calls: z.record(text, count),
  /** The calls of one indexer in a day, by chain and method. */
  use: z
    .array(z.object({ chainId: count, method: text, callsPerDay: count.max(2 ** 31 - 1) }))
    .max(counts),
  callsPerDay: count.max(2 ** 31 - 1),
  /** By the given price of calls. */
  usdPerDay: z.number().min(0),
})

/** The file in which `npm run rehearse` keeps its last report. */
export function rehearsalReportFile(dataDirectory: string): string {
  return join(dataDirectory, 'rehearsal-report.json')
}

export type RehearsalReport = z.infer<typeof rehearsalReport>
