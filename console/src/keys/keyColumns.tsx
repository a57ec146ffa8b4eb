import { Link } from '@tanstack/react-router'
import { StatusBadge } from '../components/Badge.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Time } from '../components/Time.tsx'
import { type ApiKey, KEY_STATUS, keyName } from './keyStatus.ts'

export type KeyAction = 'rename' | 'rotate' | 'revoke'

const ACTIONS = [
  ['rename', 'Rename'],
  ['rotate', 'Rotate'],
  ['revoke', 'Revoke'],
] as const

/** The columns of keys; `act` is called for the button of a row. */
export function keyColumns(
  act: (action: KeyAction, apiKey: ApiKey) => void,
): readonly Column<ApiKey>[] {
  return [
    {
      header: 'Name',
      sortBy: keyName,
      cell: (apiKey) => (
        <>
          <strong className="name">{keyName(apiKey)}</strong>
          <span className="under mono">{apiKey.publicId}</span>
        </>
      ),
    },
    {
      header: 'Status',
      sortBy: ({ status }) => status,
      cell: ({ status, revokedAt, expiresAt }) => {
        const end = revokedAt ?? expiresAt
        return (
          <>
            <StatusBadge status={KEY_STATUS[status]} />
            <span className="under">
              {end ? (
                <>
                  {status === 'ACTIVE' ? 'until' : 'since'} <Time time={end} />
                </>
              ) : (
                'does not expire'
              )}
            </span>
          </>
        )
      },
    },
    {
      header: 'Permissions',
      cell: ({ permissions }) => <span className="wrap">{permissions.join(', ') || 'none'}</span>,
    },
    {
      header: 'Last used',
      sortBy: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0,
      cell: (apiKey) => (
        <>
          {apiKey.lastUsedAt ? <Time time={apiKey.lastUsedAt} /> : 'never'}
          <span className="under">
            <Link
              to="/console/requests"
              search={{ key: apiKey.publicId }}
              aria-label={`Requests of ${keyName(apiKey)}`}
            >
              Requests
            </Link>
          </span>
        </>
      ),
    },
    {
      header: 'Created',
      sortBy: ({ createdAt }) => createdAt.getTime(),
      cell: ({ createdAt, createdByName }) => (
        <>
          <Time time={createdAt} />
          {createdByName && <span className="under">by {createdByName}</span>}
        </>
      ),
    },
    {
      header: 'Change',
      isNumber: true,
      cell: (apiKey) =>
        apiKey.status === 'ACTIVE' && (
          <span className="row-actions">
            {ACTIONS.map(([action, name]) => (
              <ChangeButton
                key={action}
                permission="keys"
                isSmall
                onClick={() => act(action, apiKey)}
              >
                {name}
                <span className="hidden"> {keyName(apiKey)}</span>
              </ChangeButton>
            ))}
          </span>
        ),
    },
  ]
}
