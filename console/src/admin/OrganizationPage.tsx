import { organizationsOptions, useAll } from '@causeway/sdk/react'
import { getRouteApi } from '@tanstack/react-router'
import { Hex } from '../components/Hex.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { OrganizationMembers } from './OrganizationMembers.tsx'
import { OrganizationSettings } from './OrganizationSettings.tsx'

const route = getRouteApi('/console/admin/organizations/$organizationId')

/** One organization, for operators: its settings and members. */
export function OrganizationPage() {
  const { organizationId } = route.useParams()
  const query = useAll(
    organizationsOptions,
    { filter: { id: organizationId } },
    { select: ({ rows }) => rows[0] ?? null },
  )
  return (
    <Page
      title={query.data?.name ?? 'Organization'}
      about={<Hex hex={organizationId} of="id of the organization" />}
    >
      <Answered query={query}>
        {(organization) =>
          organization ? (
            <>
              <OrganizationSettings key={organization.id} organization={organization} />
              <OrganizationMembers organizationId={organization.id} />
            </>
          ) : (
            <Empty title="No organization has this id" />
          )
        }
      </Answered>
    </Page>
  )
}
