import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { invalidFields, ServiceError } from '../error/serviceError.ts'
import { type EventListParams, eventQuery } from './eventQuery.ts'
import { type KnownSequences, type RecordedBody, selectEvents } from './selectEvents.ts'

export type EventPage = {
  events: RecordedBody[]
  /** The `after` of the next page. Without more events it is the newest sequence, whatever the filter is. */
  nextAfter: string
  hasMore: boolean
}

/**
 * The events of the caller's organization in the order of their recording. Later events have greater
 * sequences, so a client that continues after the last one misses none. A filtered page may be short while there are
 * more. Throws `INVALID_FIELD`, `INVALID_FILTER` or `EVENTS_EXPIRED`.
 */
export async function listEvents(
  { adHocSql, caller }: Pick<SharedContext, 'adHocSql' | 'caller'>,
  params: EventListParams,
): Promise<EventPage> {
  const { organizationId } = requirePermission(caller, 'webhooks')
  const query = eventQuery(params)
  const { rows, newest, expired, examinedTo } = await selectEvents(adHocSql, organizationId, query)
  if (query.after !== null) requireKnownPlace(query.after, { newest, expired })
  const events = rows.slice(0, query.pageSize)
  const last = rows.length > query.pageSize ? events.at(-1)?.organizationSequence : examinedTo
  return {
    events,
    nextAfter: String(last ?? newest),
    hasMore: last !== null && last !== undefined,
  }
}

/** Throws `INVALID_FIELD` for a sequence above the organization's newest, `EVENTS_EXPIRED` if an event after it is no longer kept. */
export function requireKnownPlace(after: string, { newest, expired }: KnownSequences): void {
  if (BigInt(after) > newest)
    throw invalidFields([{ field: 'after', description: tooHigh(newest) }])
  if (BigInt(after) >= expired) return
  const oldestSequence = String(expired + 1n)
  throw new ServiceError(
    'EVENTS_EXPIRED',
    `The events after ${after} are no longer kept: the oldest that may follow is ${oldestSequence}.`,
    { metadata: { oldestSequence } },
  )
}

function tooHigh(newest: bigint): string {
  if (newest === 0n) return 'expected 0, because no event is recorded yet'
  return `expected at most ${newest}, the organizationSequence of the newest event`
}
