import { CausewayError } from '@causeway/sdk'
import { formatDuration } from '../format/formatTime.ts'
import { sentence } from '../format/sentence.ts'
import { Icon } from './Icon.tsx'

/** The refusal of a change, in a form or beside a button. */
export function Refusal({ error }: { error: unknown }) {
  if (!error) return null
  const known = error instanceof CausewayError ? error : null
  const wait = known?.retryAfter
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" />
      <div>
        <p>
          {sentence(known?.message ?? String(error))}
          {wait ? ` Try again in ${formatDuration(wait * 1_000)}.` : ''}
        </p>
        {known?.violations.map(({ field, description }) => (
          <p key={field}>
            <code>{field}</code> {description}
          </p>
        ))}
      </div>
    </div>
  )
}
