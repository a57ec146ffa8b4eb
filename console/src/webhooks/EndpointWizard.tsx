import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { EventTypePicker } from './EventTypePicker.tsx'
import type { EndpointDraft } from './endpointDraft.ts'
import { FilterPicker } from './FilterPicker.tsx'

const ORDERINGS = [
  ['RESOURCE', 'In order per resource'],
  ['NONE', 'None: each event on its own'],
] as const
const STEPS = ['Where', 'Which events', 'Of whom'] as const

type Props = {
  first: EndpointDraft
  /** The text of the last button. */
  action: string
  isPending: boolean
  error: unknown
  onDone: (draft: EndpointDraft) => void
}

/** Asks for the URL, the types of events and the filter, one after the other. */
export function EndpointWizard({ first, action, isPending, error, onDone }: Props) {
  const [draft, setDraft] = useState(first)
  const [step, setStep] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const change = (part: Partial<EndpointDraft>) => setDraft({ ...draft, ...part })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins at its first field.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input')?.focus()
  }, [step])
  const isLast = step === STEPS.length - 1
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isLast) onDone(draft)
    else setStep(step + 1)
  }
  return (
    <Card title={`${step + 1} of ${STEPS.length}: ${STEPS[step]}`} actions={<Steps at={step} />}>
      <form ref={form} onSubmit={submit}>
        {step === 0 && (
          <>
            <Field
              label="URL"
              name="url"
              type="url"
              placeholder="https://example.com/webhooks"
              value={draft.url}
              onChange={({ target }) => change({ url: target.value })}
              hint="Events are sent here by POST. Answer 2xx within 10 seconds."
              required
            />
            <Field
              label="Purpose"
              name="description"
              maxLength={200}
              value={draft.description}
              onChange={({ target }) => change({ description: target.value })}
              hint="For your own overview; it may stay empty."
            />
            <Choice
              name="Order"
              options={ORDERINGS}
              value={draft.ordering}
              onChoose={(ordering) => change({ ordering })}
            />
            <label htmlFor="headers">Own headers</label>
            <textarea
              id="headers"
              rows={3}
              placeholder="authorization: Bearer …"
              value={draft.headers}
              onChange={({ target }) => change({ headers: target.value })}
            />
            <p className="muted">
              One per line. Their values are kept encrypted and not shown again. Empty leaves them
              as they are.
            </p>
          </>
        )}
        {step === 1 && (
          <EventTypePicker
            chosen={draft.eventTypes}
            onChange={(eventTypes) => change({ eventTypes })}
          />
        )}
        {step === 2 && <FilterPicker draft={draft} onChange={change} />}
        <Refusal error={error} />
        <div className="dialog-actions">
          {step > 0 && <Button onClick={() => setStep(step - 1)}>Back</Button>}
          <Button
            type="submit"
            look="primary"
            disabled={isPending || (step === 1 && draft.eventTypes.length === 0)}
          >
            {isLast ? action : 'Next'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Steps({ at }: { at: number }) {
  return (
    <span className="steps" aria-hidden="true">
      {STEPS.map((name, index) => (
        <span key={name} className={index <= at ? 'done' : undefined} />
      ))}
    </span>
  )
}
