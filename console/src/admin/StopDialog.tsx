import { type Parameters, stopTransitRoute } from '@causeway/sdk'
import { completeAuditLogOptions, transitStopsOptions } from '@causeway/sdk/react'
import type { FormEvent } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Field } from '../components/Field.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'

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
  const submit = (event: FormEvent<HTMLFormElement>) => change.mutate(takeTexts(event)('reason'))
  return (
    <ModalDialog
      title={`Stop ${name}`}
      about="No quote is given until it is opened again."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Field
          label="Reason"
          name="reason"
          required
          maxLength={200}
          autoComplete="off"
          hint="Everybody who asks for a quote sees it."
        />
        <Refusal error={change.error} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button danger" disabled={change.isPending}>
            Stop
          </button>
        </div>
      </form>
    </ModalDialog>
  )
}
