import { Badge } from '../components/Badge.tsx'
import { CodeBlock } from '../components/CodeBlock.tsx'
import { Toggle } from '../components/Toggle.tsx'
import { isShown, OPERATIONS } from './operations.ts'
import { writeCurl, writeGraphql, writeTypescript } from './snippets.ts'
import type { Exchange } from './step.ts'

/** The forms in which a request is shown. */
const FORMS = ['curl', 'GraphQL', 'TypeScript'] as const
export type Form = (typeof FORMS)[number]

type Props = { exchange: Exchange; form: Form; chooseForm: (form: Form) => void }

/** A request in one of its forms, beside its answer. */
export function RequestStep({ exchange, form, chooseForm }: Props) {
  const { operation, method, url, status, durationMs, count } = exchange
  return (
    <>
      <div className="step-head">
        <h3>{titleOf(exchange)}</h3>
        <span className="step-facts">
          <code>
            {method} {new URL(url).pathname}
          </code>
          {count > 1 && <span className="muted">asked {count} times</span>}
          {status === null ? (
            <Badge tone="neutral">Waiting</Badge>
          ) : (
            <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>
          )}
          {durationMs !== null && <span className="muted">{Math.round(durationMs)} ms</span>}
        </span>
      </div>
      <div className="step-panes">
        <div>
          <Toggle
            label="Form of the request"
            options={FORMS.map((one) => [one, one])}
            value={form}
            onChoose={chooseForm}
            isDisabled={(one) => !isShown(operation) && one !== 'curl'}
          />
          <CodeBlock of="request" text={written(exchange, form)} />
        </div>
        <div>
          <p className="pane-title">Answer</p>
          <CodeBlock of="answer" text={prettyJson(exchange.answer)} />
        </div>
      </div>
    </>
  )
}

function titleOf({ operation, url }: Exchange): string {
  const { searchParams } = new URL(url)
  const title = isShown(operation) ? OPERATIONS[operation].title : operation
  if (searchParams.has('permitSignature')) return `${title}, with the signed permit`
  return searchParams.get('simulate') === 'true' ? `${title}, simulated` : title
}

function written(exchange: Exchange, form: Form): string {
  const { operation } = exchange
  if (form === 'curl' || !isShown(operation)) return writeCurl(exchange)
  return form === 'GraphQL'
    ? writeGraphql(operation, exchange)
    : writeTypescript(operation, exchange)
}

function prettyJson(text: string | null): string {
  if (text === null) return '…'
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
