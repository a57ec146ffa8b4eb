import { type components, createOrganization } from '@causeway/sdk'
import { completeAuditLogOptions, organizationsOptions, useAll } from '@causeway/sdk/react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Button } from '../components/Button.tsx'
import { countColumn, timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Field } from '../components/Field.tsx'
import { FormDialog } from '../components/FormDialog.tsx'
import { Icon } from '../components/Icon.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { TIERS } from './tiers.ts'

type Organization = components['schemas']['Organization']

const COLUMNS: readonly Column<Organization>[] = [
  {
    header: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/console/admin/organizations/$organizationId" params={{ organizationId: id }}>
        <strong>{name}</strong>
      </Link>
    ),
  },
  { header: 'Quota', cell: ({ rateLimitTier }) => TIERS[rateLimitTier] },
  countColumn('Members', ({ memberCount }) => memberCount),
  countColumn('Keys in use', ({ keyCount }) => keyCount),
  timeColumn('Created', ({ createdAt }) => createdAt),
]

/** All organizations, for operators. */
export function OrganizationsPage() {
  const [isOpen, setOpen] = useState(false)
  const query = useAll(organizationsOptions)
  return (
    <Page
      title="Organizations"
      about="The integrators' accounts, with their quotas, members and keys."
      actions={
        query.data && (
          <Button look="primary" onClick={() => setOpen(true)}>
            <Icon name="plus" />
            Create an organization
          </Button>
        )
      }
    >
      <ListCard
        title="All organizations"
        query={query}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        none="No organization yet"
        advice="Create the first one."
      />
      {isOpen && <CreateDialog onClose={() => setOpen(false)} />}
    </Page>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const change = useProvenChange(
    (connection, name: string) => createOrganization(connection, { name }),
    [organizationsOptions, completeAuditLogOptions],
    {
      onSuccess: ({ id }) =>
        void navigate({
          to: '/console/admin/organizations/$organizationId',
          params: { organizationId: id },
        }),
    },
  )
  return (
    <FormDialog
      title="Create an organization"
      action="Create"
      change={change}
      onSubmit={(text) => change.mutate(text('name'))}
      onClose={onClose}
    >
      <Field label="Name" name="name" required maxLength={100} autoComplete="off" />
    </FormDialog>
  )
}
