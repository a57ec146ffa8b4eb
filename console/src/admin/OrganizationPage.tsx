import { organizationMembersOptions, organizationsOptions, useAll } from '@causeway/sdk/react'
import { getRouteApi } from '@tanstack/react-router'
import { Hex } from '../components/Hex.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { MembersCard } from '../organization/MembersCard.tsx'
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
  const members = useAll(organizationMembersOptions, { organizationId })
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
              <MembersCard
                query={members}
                organizationId={organizationId}
                advice="npm run admin invites the first owner."
              />
            </>
          ) : (
            <Empty title="No organization has this id" />
          )
        }
      </Answered>
    </Page>
  )
}
