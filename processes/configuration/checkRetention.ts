import { loadValid, retentionVariables } from '../environment.ts'
import { EnvironmentError } from './environmentError.ts'

/** Throws `EnvironmentError` if something would outlive what it belongs to: nobody could read it. */
export async function checkRetention(source: NodeJS.ProcessEnv): Promise<void> {
  const days = loadValid(retentionVariables, source)
  const problems = [
    ['DELIVERY_RETENTION_DAYS', 'EVENT_RETENTION_DAYS'] as const,
    ['ATTEMPT_RETENTION_DAYS', 'DELIVERY_RETENTION_DAYS'] as const,
  ].flatMap(([name, limit]) =>
    endOf(days[name]) > endOf(days[limit])
      ? [`${name}: is longer than ${limit}. Shorten it, or lengthen ${limit}.`]
      : [],
  )
  if (problems.length > 0) throw new EnvironmentError(problems)
}

/** Nothing is wrong with a value that is not valid: another check says so. */
function endOf(days: number | undefined): number {
  if (days === undefined) return Number.NaN
  return days === 0 ? Number.POSITIVE_INFINITY : days
}
