import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { REPORT_LIMITS, type RehearsalReport } from '../../domain/rehearsal/rehearsalReport.ts'

const LEVELS = ['error', 'warning', 'ok'] as const

/** Writes a report for the api, whole or not at all. Of too many lines, those that are ok are left out first. */
export async function writeReport(path: string, report: RehearsalReport): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(bounded(report), null, 2)}\n`)
  await rename(draft, path)
}

function bounded(report: RehearsalReport): RehearsalReport {
  const cut = (text: string) =>
    text.length > REPORT_LIMITS.characters
      ? `${text.slice(0, REPORT_LIMITS.characters - 1)}…`
      : text
  return {
    ...report,
    lines: report.lines
      .toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level))
      .slice(0, REPORT_LIMITS.lines)
      .map(({ level, check, message, advice }) => ({
        level,
        check: cut(check),
        message: cut(message),
        advice: advice === null ? null : cut(advice),
      })),
    use: report.use.slice(0, REPORT_LIMITS.counts),
  }
}
