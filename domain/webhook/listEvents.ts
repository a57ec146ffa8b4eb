import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, type ServiceError } from '../error/serviceError.ts'
import { refusedPageSize } from '../page/listQuery.ts'

/** A recorded event, in the form that webhooks send. */
export type RecordedBody = {
  /** Counted per organization, from 1, without gaps. */
  organizationSequence: bigint
  event: Record<string, unknown>
}

export type EventPage = {
  events: RecordedBody[]
  /** The `after` of the next page: the last event's sequence, or the given one if the page is empty. */
  nextAfter: string
  hasMore: boolean
}

export type EventListParams = {
  /** A sequence; the page has the events after it. */
  after: string
  pageSize: number
}

const AFTER = /^(0|[1-9]\d{0,17})$/
const EXPECTED = 'expected the organizationSequence of an event, or 0'

/** The fault of a replay's `after`. */
export function refusedAfter(after: string | undefined): ServiceError | undefined {
  if (after === undefined || AFTER.test(after)) return undefined
  return invalidFields([{ field: 'after', description: EXPECTED }])
}

/**
 * The events of the caller's organization in the order of their recording. Later events have greater
 * sequences, so a client that continues after the last one misses none. Throws `INVALID_FIELD`.
 */
export async function listEvents(
  { sql, caller }: Pick<SharedContext, 'sql' | 'caller'>,
  { after, pageSize }: EventListParams,
): Promise<EventPage> {
  const { organizationId } = requirePermission(caller, 'webhooks')
  refuseTogether([refusedAfter(after), refusedPageSize(pageSize)])
  const rows = await sql<RecordedBody[]>`
    select organization_sequence as "organizationSequence", body as event from app.event
    where organization_id = ${organizationId} and organization_sequence > ${after}::bigint
    order by organization_sequence limit ${pageSize + 1}`
  const events = rows.slice(0, pageSize)
  const last = events.at(-1)
  return {
    events,
    nextAfter: last ? String(last.organizationSequence) : after,
    hasMore: rows.length > pageSize,
  }
}
