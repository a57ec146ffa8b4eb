import type { components } from '@causeway/sdk'
import { Badge, type Tone } from '../components/Badge.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Hex } from '../components/Hex.tsx'
import { Time } from '../components/Time.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { formatLatency } from '../format/formatTime.ts'
import type { Outcome } from './requestSearch.ts'

type LoggedRequest = components['schemas']['LoggedRequest']

const TONES: Record<Outcome, Tone> = {
  ANSWERED: 'good',
  INVALID: 'warn',
  REFUSED: 'warn',
  FAILED: 'bad',
}

export const REQUEST_COLUMNS: readonly Column<LoggedRequest>[] = [
  { id: 'at', header: 'Time', cell: ({ at }) => <Time time={at} /> },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, outcome, reason }) => (
      <>
        <Badge tone={TONES[outcome]}>{status}</Badge>
        {reason && <span className="under">{reason}</span>}
      </>
    ),
  },
  {
    id: 'route',
    header: 'Request',
    cell: ({ method, route, operation }) => (
      <span className="wrap">
        <code>
          {method} {route}
        </code>
        {route.startsWith('/graphql') && <span className="muted"> {operation}</span>}
      </span>
    ),
  },
  {
    id: 'latency',
    header: 'Latency',
    isNumber: true,
    sortBy: ({ latencyMs }) => latencyMs,
    cell: ({ latencyMs }) => formatLatency(latencyMs),
  },
  {
    id: 'points',
    header: 'Points',
    isNumber: true,
    sortBy: ({ points }) => points,
    cell: ({ points }) => formatCount(points),
  },
  { id: 'key', header: 'Key', cell: ({ publicId }) => <code>{publicId}</code> },
  {
    id: 'id',
    header: 'Request id',
    cell: ({ requestId }) => <Hex hex={requestId} of="request id" />,
  },
]
