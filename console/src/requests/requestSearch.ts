import { type FilterKeys, writeFilter } from '@causeway/sdk'

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
  const { outcome, key, route, id } = given
  return {
    ...(isOutcome(outcome) ? { outcome } : {}),
    ...(typeof key === 'string' && key ? { key } : {}),
    ...(typeof route === 'string' && route ? { route } : {}),
    ...(typeof id === 'string' && id ? { id } : {}),
  }
}

function isOutcome(given: unknown): given is Outcome {
  return typeof given === 'string' && given in OUTCOMES
}

/** The filter of the list of requests. */
export function requestFilter({ outcome, key, route, id }: RequestSearch): { filter?: string } {
  const filter: Partial<FilterKeys['listRequestLog']> = {
    ...(outcome ? { outcome } : {}),
    ...(key ? { publicId: key } : {}),
    ...(route ? { route } : {}),
    ...(id ? { requestId: id } : {}),
  }
  return Object.keys(filter).length > 0 ? { filter: writeFilter(filter) } : {}
}
