import {
  listEvents,
  listWebhookAttempts,
  listWebhookDeliveries,
  redeliverWebhook,
} from '@causeway/sdk'
import { useApi } from '../api/useApi.ts'
import { useChange } from '../api/useChange.ts'
import { Badge } from '../components/Badge.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { JsonText } from '../components/JsonText.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { AttemptList } from './AttemptList.tsx'
import { type Delivery, deliveryStatus } from './webhookStatus.ts'

const EVERY_MS = 2_000

type Props = { endpointId: string; eventId: string; onClose: () => void }

/** One delivery: its attempts, each with request and answer, and the body that they send. */
export function DeliveryDialog({ endpointId, eventId, onClose }: Props) {
  const query = useApi(
    async (api, options) => {
      const filter = { eventId }
      const { deliveries } = await listWebhookDeliveries(
        api,
        { endpointId, filter },
        options,
      ).page()
      const [delivery] = deliveries
      if (!delivery) return null
      const after = String(BigInt(delivery.organizationSequence) - 1n)
      const [{ events }, attempts] = await Promise.all([
        listEvents(api, { after, pageSize: 1 }, options).page(),
        listWebhookAttempts(api, { endpointId, eventId }, options),
      ])
      return { delivery, attempts, body: events[0]?.event }
    },
    { key: ['webhook delivery', endpointId, eventId], every: EVERY_MS },
  )
  const resend = useChange((api) => redeliverWebhook(api, { endpointId, eventId }), {
    changes: ['webhook delivery', 'webhook deliveries'],
  })
  return (
    <ModalDialog title="Delivery" isWide onClose={onClose}>
      <div className="dialog-part stack">
        <Answered query={query}>
          {(found) =>
            found ? (
              <>
                <DeliveryFacts delivery={found.delivery} />
                <section aria-label="Attempts">
                  <h3>Attempts</h3>
                  <AttemptList attempts={found.attempts} />
                </section>
                <section aria-label="Body">
                  <h3>Body</h3>
                  <p className="muted">It is the same at each attempt.</p>
                  <JsonText value={found.body} of="body" />
                </section>
              </>
            ) : (
              <Empty title="This endpoint has no delivery of this event" />
            )
          }
        </Answered>
        <Refusal error={resend.error} />
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <ChangeButton
          permission="webhooks"
          className="button primary"
          disabled={resend.isPending}
          onClick={() => resend.mutate(undefined)}
        >
          Send it again
        </ChangeButton>
      </div>
    </ModalDialog>
  )
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { name, tone } = deliveryStatus(delivery)
  const { nextAttemptAt } = delivery
  return (
    <dl className="facts left">
      <dt>Event</dt>
      <dd>
        <code>{delivery.eventType}</code>
      </dd>
      <dt>Resource</dt>
      <dd>
        <code>{delivery.resource}</code>, its event {delivery.sequence}
      </dd>
      <dt>Status</dt>
      <dd>
        <span role="status">
          <Badge tone={tone}>{name}</Badge>
        </span>
      </dd>
      {nextAttemptAt && (
        <>
          <dt>Next attempt</dt>
          <dd>
            <Time time={nextAttemptAt} />
          </dd>
        </>
      )}
    </dl>
  )
}
