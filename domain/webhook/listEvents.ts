import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { invalidFields } from '../error/serviceError.ts'
import { type EventListParams, eventQuery } from './eventQuery.ts'
import { type RecordedBody, selectEvents } from './selectEvents.ts'

export type EventPage = {
  events: RecordedBody[]
  /** The `after` of the next page. Without more events it is the newest sequence, whatever the filter is. */
  nextAfter: string
  hasMore: boolean
}

/**
 * The events of the caller's organization in the order of their recording. Later events have greater
 * sequences, so a client that continues after the last one misses none. A filtered page may be short while there are
 * more. Throws `INVALID_FIELD` or `INVALID_FILTER`.
 */
export async function listEvents(
  { sql, adHocSql, caller }: Pick<SharedContext, 'sql' | 'adHocSql' | 'caller'>,
  params: EventListParams,
): Promise<EventPage> {
  const { organizationId } = requirePermission(caller, 'webhooks')
  const query = eventQuery(params)
  // A prepared statement per shape of filter would pile up in every connection.
  const chosen = query.filter === null ? sql : adHocSql
  const { rows, newest, examinedTo } = await selectEvents(chosen, organizationId, query)
  if (query.after !== null) requireKnownPlace(query.after, newest)
  const events = rows.slice(0, query.pageSize)
  const last = rows.length > query.pageSize ? events.at(-1)?.organizationSequence : examinedTo
  return {
    events,
    nextAfter: String(last ?? newest),
    hasMore: last !== null && last !== undefined,
  }
}

/** Throws `INVALID_FIELD` for a sequence above the organization's newest. */
export function requireKnownPlace(after: string, newest: bigint): void {
  if (BigInt(after) > newest)
    throw invalidFields([{ field: 'after', description: tooHigh(newest) }])
}

function tooHigh(newest: bigint): string {
  if (newest === 0n) return 'expected 0, because no event is recorded yet'
  return `expected at most ${newest}, the organizationSequence of the newest event`
}
