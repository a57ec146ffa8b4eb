import { type FilterKeys, writeFilter } from '@causeway/sdk'

/** The search of the audit log, as it stands in its address. */
export type AuditSearch = { action?: Action; actor?: string; subject?: string }

type Action = FilterKeys['listAuditLog']['action']

/** Reads the search of an address; what does not fit is left out. */
export function readAuditSearch(given: Record<string, unknown>): AuditSearch {
  const { action, actor, subject } = given
  return {
    // The API refuses an action that it does not know, and names those that it does.
    ...(typeof action === 'string' && action ? { action: action as Action } : {}),
    ...(typeof actor === 'string' && actor ? { actor } : {}),
    ...(typeof subject === 'string' && subject ? { subject } : {}),
  }
}

/** The filter of the audit log. */
export function auditFilter(search: AuditSearch): { filter?: string } {
  return Object.keys(search).length > 0 ? { filter: writeFilter(search) } : {}
}
