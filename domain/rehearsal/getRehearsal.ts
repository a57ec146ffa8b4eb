import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { SharedServices } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import { REPORT_LIMITS, type RehearsalReport, rehearsalReport } from './rehearsalReport.ts'

/** The report of the last rehearsal, which is a file. Throws `REHEARSAL_NOT_FOUND` if there is none, or if the file is no report. */
export async function getRehearsal({
  rehearsalReport: path,
}: Pick<SharedServices, 'rehearsalReport'>): Promise<RehearsalReport> {
  if (path === null) throw notFound('This api is told of no report: set REHEARSAL_REPORT.')
  const content = await readBounded(path)
  if (content === null) throw notFound('There is no report yet: npm run rehearse makes one.')
  const report = rehearsalReport.safeParse(jsonOf(content))
  if (!report.success)
    throw notFound('The file of REHEARSAL_REPORT is not a report of this version. Rehearse again.')
  return report.data
}

/** The file, or as much of it as a report may have. Null if there is none. */
function readBounded(path: string): Promise<string | null> {
  const file = createReadStream(path, { end: REPORT_LIMITS.bytes - 1 })
  return text(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function notFound(message: string): ServiceError {
  return new ServiceError('REHEARSAL_NOT_FOUND', message)
}
