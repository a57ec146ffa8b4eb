import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { timeColumn } from '../components/columns.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Answered } from '../components/states.tsx'
import { browserOf } from '../format/browserOf.ts'
import { askConsole } from '../session/askConsole.ts'

type Session = {
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
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: () => askConsole<{ sessions: Session[] }>('/sessions'),
  })
  const end = useMutation({
    mutationFn: (sessionId: string) => askConsole('/sessions/revoke', { sessionId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const endButton = ({ id, isThis }: Session) =>
    isThis ? (
      <Badge tone="good">This session</Badge>
    ) : (
      <Button isSmall disabled={end.isPending} onClick={() => end.mutate(id)}>
        End it
      </Button>
    )
  const columns = [...COLUMNS, { header: '', isNumber: true, cell: endButton }]
  return (
    <Card title="Sessions" isFlush>
      <Refusal error={end.error} />
      <Answered query={query}>
        {({ sessions }) => (
          <DataTable label="Sessions" rows={sessions} columns={columns} keyOf={({ id }) => id} />
        )}
      </Answered>
    </Card>
  )
}

const COLUMNS: readonly Column<Session>[] = [
  { header: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
  timeColumn('Signed in', ({ createdAt }) => new Date(createdAt)),
  timeColumn('Last used', ({ usedAt }) => new Date(usedAt)),
  timeColumn('Expires', ({ expiresAt }) => new Date(expiresAt)),
]
