import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Badge } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Answered } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { browserOf } from '../format/browserOf.ts'
import { askConsole } from '../session/askConsole.ts'

type SessionRow = {
  id: string
  userAgent: string | null
  createdAt: string
  usedAt: string
  expiresAt: string
  isThis: boolean
}

/** The person's sessions, each of which can be ended. */
export function SessionsCard() {
  const queries = useQueryClient()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => askConsole<{ sessions: SessionRow[] }>('/sessions'),
  })
  const revoke = useMutation({
    mutationFn: (sessionId: string) => askConsole('/sessions/revoke', { sessionId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const columns: readonly Column<SessionRow>[] = [
    { id: 'browser', header: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
    {
      id: 'created',
      header: 'Signed in',
      cell: ({ createdAt }) => <Time time={new Date(createdAt)} />,
    },
    { id: 'used', header: 'Last used', cell: ({ usedAt }) => <Time time={new Date(usedAt)} /> },
    {
      id: 'expires',
      header: 'Expires',
      cell: ({ expiresAt }) => <Time time={new Date(expiresAt)} />,
    },
    {
      id: 'end',
      header: '',
      isNumber: true,
      cell: ({ id, isThis }) =>
        isThis ? (
          <Badge tone="good">This session</Badge>
        ) : (
          <button
            type="button"
            className="button small"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(id)}
          >
            End it
          </button>
        ),
    },
  ]
  return (
    <Card title="Sessions" isFlush>
      <Refusal error={revoke.error} />
      <Answered query={sessions}>
        {({ sessions: rows }) => (
          <DataTable label="Sessions" rows={rows} columns={columns} keyOf={({ id }) => id} />
        )}
      </Answered>
    </Card>
  )
}
