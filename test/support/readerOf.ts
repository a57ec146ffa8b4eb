import type { Caller } from '../../domain/access/caller.ts'
import type { Permission } from '../../domain/access/permissions.ts'

/** A caller of an organization that may read, without a key. */
export function readerOf(organizationId: string, permissions: Permission[]): Caller {
  return {
    organizationId,
    actor: 'test',
    permissions,
    changes: [],
    member: null,
    rateLimitTier: 'unlimited',
    defaultDistributorCode: null,
    slippageBps: 0,
    settleOnSubmit: false,
  }
}
