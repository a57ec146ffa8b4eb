import { type components, createOrganization } from '@causeway/sdk'
import { completeAuditLogOptions, organizationsOptions, useAll } from '@causeway/sdk/react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Field } from '../components/Field.tsx'
import { Icon } from '../components/Icon.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { Page } from '../components/Page.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { formatCount } from '../format/formatNumber.ts'
import { TIERS } from './tiers.ts'

type Organization = components['schemas']['Organization']

const COLUMNS: readonly Column<Organization>[] = [
  {
    id: 'name',
    header: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/console/admin/organizations/$organizationId" params={{ organizationId: id }}>
        <strong>{name}</strong>
      </Link>
    ),
  },
  { id: 'tier', header: 'Quota', cell: ({ rateLimitTier }) => TIERS[rateLimitTier] },
  {
    id: 'members',
    header: 'Members',
    isNumber: true,
    sortBy: ({ memberCount }) => memberCount,
    cell: ({ memberCount }) => formatCount(memberCount),
  },
  {
    id: 'keys',
    header: 'Keys in use',
    isNumber: true,
    sortBy: ({ keyCount }) => keyCount,
    cell: ({ keyCount }) => formatCount(keyCount),
  },
  timeColumn({ id: 'created', header: 'Created' }, ({ createdAt }) => createdAt),
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
          <button type="button" className="button primary" onClick={() => setOpen(true)}>
            <Icon name="plus" />
            Create an organization
          </button>
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
  const submit = (event: FormEvent<HTMLFormElement>) => change.mutate(takeTexts(event)('name'))
  return (
    <ModalDialog title="Create an organization" onClose={onClose}>
      <form onSubmit={submit}>
        <Field label="Name" name="name" required maxLength={100} autoComplete="off" />
        <Refusal error={change.error} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={change.isPending}>
            Create
          </button>
        </div>
      </form>
    </ModalDialog>
  )
}
