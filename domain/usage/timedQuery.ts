import type { SharedContext } from '../context.ts'
import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { type FieldViolation, invalidFields } from '../error/serviceError.ts'
import { type ListDefinition, type ListQuery, listQuery } from '../page/listQuery.ts'
import type { PageCursor } from '../page/pageToken.ts'
import { backwardsViolations } from '../page/timeRange.ts'

/** Unix seconds; each may be missing. */
export type Times = { startTime?: number | undefined; endTime?: number | undefined }

/**
 * Like `listQuery`, for a list of the caller's organization between two times. Its page tokens are bound to all of them. Throws
 * one refusal that also names bad times and `violations`.
 */
export function timedQuery<Cursor extends PageCursor>(
  context: Pick<SharedContext, 'appSecret' | 'caller'>,
  { startTime, endTime }: Times,
  { violations = [], ...list }: ListDefinition & { violations?: FieldViolation[] },
): ListQuery<Cursor> {
  const bound = [
    context.caller?.organizationId ?? null,
    startTime ?? null,
    endTime ?? null,
    ...(list.bound ?? []),
  ]
  const all = [
    ...violations,
    ...(startTime === undefined || endTime === undefined
      ? []
      : backwardsViolations(startTime, endTime)),
  ]
  const query = attempt(() => listQuery<Cursor>(context, { ...list, bound }))
  refuseTogether([all.length > 0 ? invalidFields(all) : undefined, query.refusal])
  if (!query.value) throw new Error('Invariant(timedQuery): a query without errors has a value')
  return query.value
}
