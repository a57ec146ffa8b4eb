import { type FilterKeys, writeFilter } from '@causeway/sdk'

/** The search of the event log, as it stands in its address. */
export type EventSearch = { type?: string; resource?: string; endpoint?: string }

/** Reads the search of an address; what does not fit is left out. */
export function readEventSearch(given: Record<string, unknown>): EventSearch {
  const { type, resource, endpoint } = given
  return {
    ...(typeof type === 'string' && type ? { type } : {}),
    ...(typeof resource === 'string' && resource ? { resource } : {}),
    ...(typeof endpoint === 'string' && endpoint ? { endpoint } : {}),
  }
}

/** The filter of the list of events. */
export function eventFilter({ type, resource, endpoint }: EventSearch): { filter?: string } {
  const filter: Partial<FilterKeys['listEvents']> = {
    ...(type ? { type } : {}),
    ...(resource ? { resourceId: resource } : {}),
    ...(endpoint ? { endpointId: endpoint } : {}),
  }
  return Object.keys(filter).length > 0 ? { filter: writeFilter(filter) } : {}
}
