import { Link, useNavigate } from '@tanstack/react-router'
import { Badge } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { useEndpoints } from './useEndpoints.ts'
import { type Endpoint, endpointStatus } from './webhookStatus.ts'

/** The webhook endpoints of the organization. */
export function WebhooksPage() {
  const navigate = useNavigate()
  const query = useEndpoints()
  return (
    <Page
      title="Webhooks"
      about="Events of your orders, deposits, withdrawal requests and vaults are sent to these URLs, signed."
      actions={
        <>
          <Link to="/console/webhooks/catalogue" className="button">
            Types of events
          </Link>
          <ChangeButton
            permission="webhooks"
            className="button primary"
            onClick={() => void navigate({ to: '/console/webhooks/new' })}
          >
            <Icon name="plus" />
            Add an endpoint
          </ChangeButton>
        </>
      }
    >
      <Card title="Endpoints" isFlush>
        <Answered query={query}>
          {({ rows, hasMore }) =>
            rows.length === 0 ? (
              <Empty title="No endpoint yet">
                Add the URL of your server, and choose the events that it receives.
              </Empty>
            ) : (
              <>
                <DataTable
                  label="Webhook endpoints"
                  rows={rows}
                  columns={COLUMNS}
                  keyOf={({ id }) => id}
                />
                <CutNote hasMore={hasMore} count={rows.length} />
              </>
            )
          }
        </Answered>
      </Card>
    </Page>
  )
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    id: 'url',
    header: 'URL',
    sortBy: ({ url }) => url,
    cell: ({ id, url }) => (
      <Link to="/console/webhooks/$endpointId" params={{ endpointId: id }} className="clip">
        {url}
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    sortBy: ({ status }) => status,
    cell: (endpoint) => {
      const { name, tone } = endpointStatus(endpoint)
      return <Badge tone={tone}>{name}</Badge>
    },
  },
  {
    id: 'types',
    header: 'Events',
    cell: ({ eventTypes }) => <span className="clip">{eventTypes.join(', ')}</span>,
  },
  {
    id: 'description',
    header: 'Purpose',
    cell: ({ description }) => <span className="clip">{description || '–'}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    sortBy: ({ createdAt }) => createdAt.getTime(),
    cell: ({ createdAt }) => <Time time={createdAt} />,
  },
]
