import { Link, useNavigate } from '@tanstack/react-router'
import { StatusBadge } from '../components/Badge.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Icon } from '../components/Icon.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
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
            look="primary"
            onClick={() => void navigate({ to: '/console/webhooks/new' })}
          >
            <Icon name="plus" />
            Add an endpoint
          </ChangeButton>
        </>
      }
    >
      <ListCard
        title="Endpoints"
        label="Webhook endpoints"
        query={query}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        none="No endpoint yet"
        advice="Add the URL of your server, and choose the events that it receives."
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    header: 'URL',
    sortBy: ({ url }) => url,
    cell: ({ id, url }) => (
      <Link to="/console/webhooks/$endpointId" params={{ endpointId: id }} className="clip">
        {url}
      </Link>
    ),
  },
  {
    header: 'Status',
    sortBy: ({ status }) => status,
    cell: (endpoint) => <StatusBadge status={endpointStatus(endpoint)} />,
  },
  {
    header: 'Events',
    cell: ({ eventTypes }) => <span className="clip">{eventTypes.join(', ')}</span>,
  },
  {
    header: 'Purpose',
    cell: ({ description }) => <span className="clip">{description || '–'}</span>,
  },
  timeColumn('Created', ({ createdAt }) => createdAt),
]
