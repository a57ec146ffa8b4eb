import { Badge } from '../components/Badge.tsx'
import { CodeBlock } from '../components/CodeBlock.tsx'
import { Fact } from '../components/Fact.tsx'
import { formatLatency, formatTime } from '../format/formatTime.ts'
import type { Attempt } from './webhookStatus.ts'

/** The attempts of a delivery, the newest first and open. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="muted">There was no attempt yet.</p>
  return (
    <ol className="attempts">
      {attempts.map((attempt, index) => (
        <li key={attempt.startedAt.toISOString()}>
          <details open={index === 0}>
            <summary>
              <AttemptHead attempt={attempt} />
            </summary>
            <AttemptBody attempt={attempt} />
          </details>
        </li>
      ))}
    </ol>
  )
}

function AttemptHead({ attempt: { error, responseStatus, startedAt, durationMs } }: AttemptProps) {
  return (
    <span className="attempt-head">
      <Badge tone={error === null ? 'good' : 'bad'}>{responseStatus ?? 'No answer'}</Badge>
      <time dateTime={startedAt.toISOString()}>{formatTime(startedAt).local}</time>
      <span className="muted">{formatLatency(durationMs)}</span>
    </span>
  )
}

type AttemptProps = { attempt: Attempt }

function AttemptBody({ attempt }: AttemptProps) {
  const { error, startedAt, responseBody, isResponseBodyTruncated } = attempt
  return (
    <div className="attempt">
      <dl className="facts left">
        {error && <Fact name="Failed">{error}</Fact>}
        <Fact name="Began">{formatTime(startedAt).utc}</Fact>
      </dl>
      {responseBody !== null && (
        <section aria-label="Answer">
          <h4>Answer</h4>
          {responseBody === '' ? (
            <p className="muted">Without a body</p>
          ) : (
            <CodeBlock text={responseBody} of="answer" />
          )}
          {isResponseBodyTruncated && <p className="muted">Only the beginning is kept.</p>}
        </section>
      )}
      {attempt.requestUrl !== null && (
        <section aria-label="Request">
          <h4>Request</h4>
          <CodeBlock text={requestText(attempt)} of="request" />
        </section>
      )}
    </div>
  )
}

function requestText({ requestUrl, requestHeaders }: Attempt): string {
  const headers = requestHeaders.map(({ name, value }) => `${name}: ${value}`)
  return [`POST ${requestUrl}`, ...headers].join('\n')
}
