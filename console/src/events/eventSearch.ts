import { filterOf, textsIn } from '../api/search.ts'

/** The search of the event log, as it stands in its address. */
export type EventSearch = { type?: string; resource?: string; endpoint?: string }

/** Reads the search of an address; what does not fit is left out. */
export function readEventSearch(given: Record<string, unknown>): EventSearch {
  return textsIn(given, 'type', 'resource', 'endpoint')
}

/** The filter of the list of events. */
export function eventFilter({ type, resource, endpoint }: EventSearch): { filter?: string } {
  return filterOf<'listEvents'>({ type, resourceId: resource, endpointId: endpoint })
}
