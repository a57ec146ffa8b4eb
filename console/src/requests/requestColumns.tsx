import type { components } from '@causeway/sdk'
import { Badge, type Tone } from '../components/Badge.tsx'
import { countColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Hex } from '../components/Hex.tsx'
import { Time } from '../components/Time.tsx'
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
  { header: 'Time', cell: ({ at }) => <Time time={at} /> },
  {
    header: 'Status',
    cell: ({ status, outcome, reason }) => (
      <>
        <Badge tone={TONES[outcome]}>{status}</Badge>
        {reason && <span className="under">{reason}</span>}
      </>
    ),
  },
  {
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
    header: 'Latency',
    isNumber: true,
    sortBy: ({ latencyMs }) => latencyMs,
    cell: ({ latencyMs }) => formatLatency(latencyMs),
  },
  countColumn('Points', ({ points }) => points),
  { header: 'Key', cell: ({ publicId }) => <code>{publicId}</code> },
  { header: 'Request id', cell: ({ requestId }) => <Hex hex={requestId} of="request id" /> },
]
