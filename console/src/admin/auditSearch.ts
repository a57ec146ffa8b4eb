import { type FilterKeys, writeFilter } from '@causeway/sdk'

type AuditFilter = FilterKeys['listCompleteAuditLog']

/** The filters of the audit log, as they stand in the page's address. */
export type AuditSearch = {
  action?: AuditFilter['action']
  actor?: string
  subject?: string
  organization?: string
}

/** Every action that is recorded. */
export const ACTIONS: readonly AuditFilter['action'][] = [
  'organization.create',
  'organization.set',
  'member.invite',
  'member.revoke_invitation',
  'member.join',
  'member.change_role',
  'member.remove',
  'key.create',
  'key.revoke',
  'key.rotate',
  'index.rebuild',
  'transit.pause',
  'transit.resume',
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'webhook.rotate',
  'webhook.redeliver',
  'smart_deposit.retry',
  'smart_deposit.settle_foreign',
]

/** Reads the search of an address; what does not fit is left out. */
export function readAuditSearch(given: Record<string, unknown>): AuditSearch {
  const action = ACTIONS.find((one) => one === given.action)
  const text = (name: 'actor' | 'subject' | 'organization') => {
    const value = given[name]
    return typeof value === 'string' || typeof value === 'number' ? { [name]: String(value) } : {}
  }
  return {
    ...(action ? { action } : {}),
    ...text('actor'),
    ...text('subject'),
    ...text('organization'),
  }
}

/** The filter expression of the API that a search makes; null for the whole log. */
export function auditFilter({ organization, ...others }: AuditSearch): string | null {
  const filter = { ...others, ...(organization ? { organizationId: organization } : {}) }
  return Object.keys(filter).length > 0 ? writeFilter(filter) : null
}
