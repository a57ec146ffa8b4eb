import { StatusBadge } from '../components/Badge.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Time } from '../components/Time.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { sentence } from '../format/sentence.ts'
import { type Delivery, deliveryStatus } from './webhookStatus.ts'

/** The columns of deliveries; a click on the type shows one whole. */
export function deliveryColumns(show: (eventId: string) => void): readonly Column<Delivery>[] {
  return [
    {
      header: 'Event',
      cell: ({ eventId, eventType }) => (
        <button type="button" className="link" onClick={() => show(eventId)}>
          {eventType}
        </button>
      ),
    },
    { header: 'Status', cell: (delivery) => <StatusBadge status={deliveryStatus(delivery)} /> },
    { header: 'Last answer', cell: (delivery) => <LastAnswer delivery={delivery} /> },
    { header: 'Attempts', isNumber: true, cell: ({ attempts }) => formatCount(attempts) },
    {
      header: 'Next attempt',
      cell: ({ nextAttemptAt }) => (nextAttemptAt ? <Time time={nextAttemptAt} /> : '–'),
    },
    { header: 'Recorded', cell: ({ createdAt }) => <Time time={createdAt} /> },
  ]
}

function LastAnswer({ delivery: { lastStatus, lastError } }: { delivery: Delivery }) {
  if (lastStatus === null && lastError === null) return '–'
  return <span className="clip">{sentence(lastError ?? `answered ${lastStatus}`)}</span>
}
