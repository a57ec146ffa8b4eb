import { type Parameters, stopTransitRoute } from '@causeway/sdk'
import { completeAuditLogOptions, transitStopsOptions } from '@causeway/sdk/react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Field } from '../components/Field.tsx'
import { FormDialog } from '../components/FormDialog.tsx'

type Props = {
  ends: Parameters<'openTransitRoute'>
  /** Such as `all routes`. */
  name: string
  onClose: () => void
}

/** Asks for the reason of a stop, and stops. */
export function StopDialog({ ends, name, onClose }: Props) {
  const change = useProvenChange(
    (connection, reason: string) => stopTransitRoute(connection, { ...ends, reason }),
    [transitStopsOptions, completeAuditLogOptions],
    { onSuccess: onClose },
  )
  return (
    <FormDialog
      title={`Stop ${name}`}
      about="No quote is given until it is opened again."
      action="Stop"
      look="danger"
      change={change}
      onSubmit={(text) => change.mutate(text('reason'))}
      onClose={onClose}
    >
      <Field
        label="Reason"
        name="reason"
        required
        maxLength={200}
        autoComplete="off"
        hint="Everybody who asks for a quote sees it."
      />
    </FormDialog>
  )
}
