import type { FilterKeys } from '@causeway/sdk'
import { filterOf, oneIn, textsIn } from '../api/search.ts'

/** The search of the request log, as it stands in its address. */
export type RequestSearch = {
  outcome?: Outcome
  /** The public id of a key. */
  key?: string
  /** The pattern of a path. */
  route?: string
  /** A request id. */
  id?: string
}

export type Outcome = FilterKeys['listRequestLog']['outcome']

export const OUTCOMES: Record<Outcome, string> = {
  ANSWERED: 'Answered',
  INVALID: 'Invalid (4xx)',
  REFUSED: 'Refused (429)',
  FAILED: 'Failed (5xx)',
}

/** Reads the search of an address; what does not fit is left out. */
export function readRequestSearch(given: Record<string, unknown>): RequestSearch {
  return { ...oneIn(given, 'outcome', OUTCOMES), ...textsIn(given, 'key', 'route', 'id') }
}

/** The filter of the list of requests. */
export function requestFilter({ outcome, key, route, id }: RequestSearch): { filter?: string } {
  return filterOf<'listRequestLog'>({ outcome, publicId: key, route, requestId: id })
}
