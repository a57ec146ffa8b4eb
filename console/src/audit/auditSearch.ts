import type { FilterKeys } from '@causeway/sdk'
import { filterOf, oneIn, textsIn } from '../api/search.ts'
import { entriesOf } from '../format/entriesOf.ts'

type Action = FilterKeys['listCompleteAuditLog']['action']

/** The search of an audit log, as it stands in its address. */
export type AuditSearch = {
  action?: Action
  actor?: string
  subject?: string
  organization?: string
}

/** Every recorded action, and whose log has it. */
const ACTIONS: Record<Action, 'organization' | 'operator'> = {
  'organization.create': 'organization',
  'organization.set': 'organization',
  'member.invite': 'organization',
  'member.revoke_invitation': 'organization',
  'member.join': 'organization',
  'member.change_role': 'organization',
  'member.remove': 'organization',
  'key.create': 'organization',
  'key.rename': 'organization',
  'key.revoke': 'organization',
  'key.rotate': 'organization',
  'webhook.create': 'organization',
  'webhook.change': 'organization',
  'webhook.delete': 'organization',
  'webhook.rotate': 'organization',
  'webhook.redeliver': 'organization',
  'webhook.replay': 'organization',
  'webhook.cancel_replay': 'organization',
  'webhook.failing': 'organization',
  'webhook.disabled': 'organization',
  'index.rebuild': 'operator',
  'index.restore': 'operator',
  'transit.pause': 'operator',
  'transit.resume': 'operator',
  'smart_deposit.refund': 'organization',
  'smart_deposit.retry': 'operator',
  'smart_deposit.settle_foreign': 'operator',
  'smart_deposit.look_again': 'operator',
}

/** The actions of an organization's log, or of the complete one. */
export function actionsOf(isComplete: boolean): Action[] {
  const shown = entriesOf(ACTIONS).filter(([, log]) => isComplete || log === 'organization')
  return shown.map(([action]) => action)
}

/** Reads the search of an address; what does not fit is left out. */
export function readAuditSearch(given: Record<string, unknown>): AuditSearch {
  return {
    ...oneIn(given, 'action', ACTIONS),
    ...textsIn(given, 'actor', 'subject', 'organization'),
  }
}

/** The filter of the API that a search makes. */
export function auditFilter({ organization, ...others }: AuditSearch): { filter?: string } {
  return filterOf<'listCompleteAuditLog'>({ ...others, organizationId: organization })
}
