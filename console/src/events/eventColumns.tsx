import type { Column } from '../components/DataTable.tsx'
import { Time } from '../components/Time.tsx'
import { shortHex } from '../format/shortHex.ts'
import type { RecordedEvent } from './readWindow.ts'

/** The fields that name the resource of an event. */
const RESOURCE_FIELDS = ['deposit_id', 'order_id', 'request_id', 'vault_id', 'endpoint_id'] as const

/** The columns of the event log; a click on the type shows the event whole. */
export function eventColumns(
  show: (event: RecordedEvent) => void,
): readonly Column<RecordedEvent>[] {
  return [
    {
      id: 'number',
      header: 'Number',
      cell: ({ organizationSequence }) => organizationSequence,
    },
    {
      id: 'type',
      header: 'Event',
      cell: (row) => (
        <button type="button" className="link" onClick={() => show(row)}>
          {row.event.type}
        </button>
      ),
    },
    {
      id: 'resource',
      header: 'Resource',
      cell: ({ event }) => <span className="mono">{shortHex(resourceOf(event))}</span>,
    },
    {
      id: 'time',
      header: 'Recorded',
      cell: ({ event }) => <Time time={new Date(event.timestamp)} />,
    },
  ]
}

function resourceOf(event: RecordedEvent['event']): string {
  const fields: Record<string, unknown> = event
  const name = RESOURCE_FIELDS.find((field) => typeof fields[field] === 'string')
  return name ? String(fields[name]) : '–'
}
