import { useRead, webhookFiguresOptions } from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Stat } from '../components/Stat.tsx'
import { Answered } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { formatCount } from '../format/formatNumber.ts'

/** How the deliveries to an endpoint did in the last day. */
export function DeliveryFigures({ endpointId }: { endpointId: string }) {
  const query = useRead(webhookFiguresOptions, { endpointId }, LIVE)
  return (
    <Answered query={query} rows={2}>
      {({ attempts, delivered, failures, p50Ms, p95Ms, waiting, dead, oldestWaitingAt }) => (
        <>
          <dl className="stats">
            <Stat name="Attempts in 24 h" under="of each delivery the newest 24">
              {formatCount(attempts)}
            </Stat>
            <Stat name="Accepted" under="answered 2xx">
              {attempts === 0 ? '–' : `${Math.floor((delivered / attempts) * 100)} %`}
            </Stat>
            <Stat name="Half answered within" under={`95 of 100 within ${inMs(p95Ms)}`}>
              {inMs(p50Ms)}
            </Stat>
            <Stat
              name="Waiting"
              under={
                oldestWaitingAt ? (
                  <>
                    since <Time time={oldestWaitingAt} />
                  </>
                ) : (
                  `${formatCount(dead)} dead`
                )
              }
            >
              {formatCount(waiting)}
            </Stat>
          </dl>
          {failures.length > 0 && (
            <Card title="Why attempts failed in 24 h">
              <dl className="facts left">
                {failures.map(({ cause, count }) => (
                  <Fact key={cause} name={cause}>
                    {formatCount(count)}
                  </Fact>
                ))}
              </dl>
            </Card>
          )}
        </>
      )}
    </Answered>
  )
}

function inMs(value: number | null): string {
  return value === null ? '–' : `${formatCount(value)} ms`
}
