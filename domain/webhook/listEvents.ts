import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, type ServiceError } from '../error/serviceError.ts'
import { refusedPageSize } from '../page/listQuery.ts'

/** An event as an organization was, or would have been, told of it. */
export type RecordedBody = {
  /** Counted per organization, from 1, without gaps. */
  organizationSequence: bigint
  event: Record<string, unknown>
}

export type EventPage = {
  events: RecordedBody[]
  /** What asks for those that follow: the last one's sequence, or what was asked where there was none. */
  nextAfter: string
  hasMore: boolean
}

export type EventListParams = {
  /** A sequence; events after it are answered. */
  after: string
  pageSize: number
}

const AFTER = /^(0|[1-9]\d{0,17})$/
const EXPECTED = 'expected the organizationSequence of an event, or 0'

/** What is wrong with the place that a replay is to begin after. */
export function refusedAfter(after: string | undefined): ServiceError | undefined {
  if (after === undefined || AFTER.test(after)) return undefined
  return invalidFields([{ field: 'after', description: EXPECTED }])
}

/**
 * The events of the caller's organization in the order in which they were recorded. What is recorded
 * later has a greater sequence, so that who goes on after the last misses nothing. Throws `INVALID_FIELD`.
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
