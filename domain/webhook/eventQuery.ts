import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, type ServiceError } from '../error/serviceError.ts'
import type { Filter, FilterKeys } from '../filter/filter.ts'
import { parseFilter } from '../filter/parseFilter.ts'
import { refusedPageSize } from '../page/listQuery.ts'
import { isEventPattern } from './eventPattern.ts'
import { RESOURCE_ID_EXPECTED, readEndpointId, readResourceId } from './eventResource.ts'

export type EventListParams = {
  /** A sequence; the page has the events after it. By default all that are kept. */
  after?: string | undefined
  /** The page begins after the newest event, so it is empty. */
  from?: 'now' | undefined
  /** Unix seconds: only events that were recorded then or later. */
  startTime?: number | undefined
  filter?: string | undefined
  pageSize: number
}

export type EventQuery = {
  /** Null for the oldest event that is kept. */
  after: string | null
  isFromNow: boolean
  startTime: number | null
  filter: Filter | null
  pageSize: number
}

/** The keys of the list's filter. */
export const EVENT_LIST_FILTER_KEYS = {
  type: {
    type: 'form',
    read: (text) => (isEventPattern(text) ? text : null),
    expected: 'a type of event, or a prefix such as smart_deposit.*',
  },
  resourceId: { type: 'form', read: readResourceId, expected: RESOURCE_ID_EXPECTED },
  endpointId: { type: 'form', read: readEndpointId, expected: 'the id of a webhook endpoint' },
} as const satisfies FilterKeys

const AFTER = /^(0|[1-9]\d{0,17})$/
const EXPECTED = 'expected the organizationSequence of an event, or 0'

/** The list's arguments, checked. Throws `INVALID_FILTER` or `INVALID_FIELD`. */
export function eventQuery(params: EventListParams): EventQuery {
  const { after, from, startTime, filter: text, pageSize } = params
  const filter = attempt(() => parseFilter(text ?? '', EVENT_LIST_FILTER_KEYS))
  refuseTogether([
    refusedAfter(after),
    refusedFrom(params),
    filter.refusal,
    refusedPageSize(pageSize),
  ])
  return {
    after: after ?? null,
    isFromNow: from !== undefined,
    startTime: startTime ?? null,
    filter: filter.value ?? null,
    pageSize,
  }
}

/** The refusal of a text that is no sequence. */
export function refusedAfter(after: string | undefined): ServiceError | undefined {
  if (after === undefined || AFTER.test(after)) return undefined
  return invalidFields([{ field: 'after', description: EXPECTED }])
}

function refusedFrom({ after, from, startTime }: EventListParams): ServiceError | undefined {
  if (from === undefined || (after === undefined && startTime === undefined)) return undefined
  return invalidFields([
    { field: 'from', description: 'expected neither after nor startTime with it' },
  ])
}
