import type { Hex } from 'viem'
import { callerAdministrator } from '../../domain/access/callerAdministrator.ts'
import {
  type ListedOrganization,
  listedOrganization,
  listOrganizationPage,
  type OrganizationPage,
  organizationQuery,
} from '../../domain/access/organizationList.ts'
import { createOrganization, setOrganization } from '../../domain/access/organizations.ts'
import { optional, required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { mutationField } from '../declareRootField.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { withoutNulls } from '../withoutNulls.ts'
import { RateLimitTierRef } from './rateLimitTier.ts'

const OrganizationRef = builder.objectRef<ListedOrganization>('Organization').implement({
  description: "An integrator's account: it owns API keys and webhook endpoints.",
  fields: fieldsOf(() => ({
    id: nonNull.string('The id of the organization.'),
    name: nonNull.string('The name. No two organizations have the same.'),
    rateLimitTier: nonNull.of(RateLimitTierRef, 'The quota of its callers.'),
    defaultDistributorCode: nullable.string(
      'The distributor code of requests without their own: 0x and 1 to 32 bytes in hex. Null for none.',
    ),
    slippageBps: nonNull.int("The slippage of a deposit's shares, in basis points."),
    settleOnSubmit: nonNull.boolean(
      'Whether withdrawal requests are settled with their submission, where that is possible.',
    ),
    requiresSecondFactor: nonNull.boolean(
      'Whether its members need a second factor of their account.',
    ),
    memberCount: nonNull.int('The number of its members.'),
    keyCount: nonNull.int('The number of its keys that are neither revoked nor expired.'),
    createdAt: nonNull.dateTime('The time at which it was created.'),
  })),
})

const OrganizationPageRef = pageRef<OrganizationPage>('OrganizationPage', {
  description: 'A page of organizations, by name.',
  fields: { organizations: nonNull.of([OrganizationRef], 'The organizations.') },
})

listField('organizations', {
  type: OrganizationPageRef,
  reads: 'index',
  description: 'All organizations with their settings, by name. For operators.',
  query: organizationQuery,
  list: listOrganizationPage,
})

mutationField('createOrganization', {
  type: OrganizationRef,
  description: 'Creates an organization with default settings. For operators.',
  args: { name: required.string('The name: 1 to 100 characters, of no other organization.') },
  resolve: async (_, { name }, context) => {
    const { administrator } = callerAdministrator(context, 'admin')
    return listedOrganization(context.sql, await createOrganization(administrator, name))
  },
})

mutationField('updateOrganization', {
  type: OrganizationRef,
  description:
    'Changes an organization. A missing parameter changes nothing. Its callers notice within 5 seconds. For operators.',
  args: {
    organizationId: required.string('The `id` of the organization.'),
    name: optional.string('The name: 1 to 100 characters, of no other organization.'),
    rateLimitTier: optional.of(RateLimitTierRef, 'The quota of its callers.'),
    defaultDistributorCode: optional.string(
      'The distributor code of requests without their own: 0x and 1 to 32 bytes in hex. "" for none.',
    ),
    slippageBps: optional.int("The slippage of a deposit's shares, 0 to 10000 basis points."),
    settleOnSubmit: optional.boolean(
      'Whether withdrawal requests are settled with their submission, where that is possible.',
    ),
    requiresSecondFactor: optional.boolean(
      'Whether its members need a second factor of their account. Those without one are refused at once.',
    ),
  },
  resolve: async (_, { organizationId, ...given }, context) => {
    const { administrator } = callerAdministrator(context, 'admin')
    const { defaultDistributorCode: code, ...settings } = withoutNulls(given)
    const changed = await setOrganization(administrator, organizationId, {
      ...settings,
      defaultDistributorCode: code === '' ? null : (code?.toLowerCase() as Hex | undefined),
    })
    return listedOrganization(context.sql, changed)
  },
})
