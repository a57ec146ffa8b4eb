import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Icon } from '../components/Icon.tsx'
import { SecretText } from '../components/SecretText.tsx'
import { Time } from '../components/Time.tsx'
import type { Endpoint } from './webhookStatus.ts'

/** Where events are sent, which ones, and since when. */
export function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const {
    eventTypes,
    filter,
    unmatchedEventTypes,
    disabledReason,
    failingSince,
    isFailing,
    headerNames,
    ordering,
  } = endpoint
  return (
    <Card title="Endpoint">
      <div className="stack">
        {disabledReason === 'GONE' && (
          <p className="note warn" role="status">
            <Icon name="alert" />
            It answered 410, so it was disabled. Waiting deliveries are sent once it is enabled.
          </p>
        )}
        {disabledReason === 'FAILING' && (
          <p className="note warn" role="status">
            <Icon name="alert" />
            It accepted nothing for five days, so it was disabled. Enable it, then replay what it
            missed.
          </p>
        )}
        {isFailing && failingSince && (
          <p className="note warn" role="status">
            <Icon name="alert" />
            <span>
              It has accepted nothing since <Time time={failingSince} />. Its deliveries show why.
            </span>
          </p>
        )}
        {unmatchedEventTypes.length > 0 && (
          <p className="note warn" role="status">
            <Icon name="alert" />
            No event of {unmatchedEventTypes.join(', ')} can pass the filter.
          </p>
        )}
        <dl className="facts left">
          <Fact name="URL">
            <SecretText text={endpoint.url} of="URL" />
          </Fact>
          <Fact name="Events">
            {eventTypes.map((type) => (
              <code key={type}>{type}</code>
            ))}
          </Fact>
          <Fact name="Filter">
            {filter === null && "Events with the organization's distributor code"}
            {filter === '' && 'None: events of all orders, requests and vaults'}
            {filter && <code>{filter}</code>}
          </Fact>
          <Fact name="Order">
            {ordering === 'RESOURCE' ? 'In order per resource' : 'None: each event on its own'}
          </Fact>
          {headerNames.length > 0 && (
            <Fact name="Own headers">
              {headerNames.map((name) => (
                <code key={name}>{name}</code>
              ))}
            </Fact>
          )}
          {endpoint.previousSecretExpiresAt && (
            <Fact name="Former secret signs until">
              <Time time={endpoint.previousSecretExpiresAt} />
            </Fact>
          )}
          <Fact name="Created">
            <Time time={endpoint.createdAt} />
          </Fact>
          <Fact name="Changed">
            <Time time={endpoint.updatedAt} />
          </Fact>
        </dl>
      </div>
    </Card>
  )
}
