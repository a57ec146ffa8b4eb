import { redeliverWebhook } from '@causeway/sdk'
import {
  eventsOptions,
  joinQueries,
  useAll,
  useList,
  useRead,
  webhookAttemptsOptions,
  webhookDeliveriesOptions,
} from '@causeway/sdk/react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { StatusBadge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Fact } from '../components/Fact.tsx'
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
  const query = useAll(
    webhookDeliveriesOptions,
    { endpointId, filter: { eventId } },
    { refetchInterval: EVERY_MS, select: ({ rows }) => rows[0] ?? null },
  )
  const resend = useProvenChange(
    (api) => redeliverWebhook(api, { endpointId, eventId }),
    [webhookDeliveriesOptions, webhookAttemptsOptions],
  )
  return (
    <ModalDialog title="Delivery" isWide onClose={onClose}>
      <div className="dialog-part stack">
        <Answered query={query}>
          {(delivery) =>
            delivery ? (
              <KnownDelivery endpointId={endpointId} delivery={delivery} />
            ) : (
              <Empty title="This endpoint has no delivery of this event" />
            )
          }
        </Answered>
        <Refusal error={resend.error} />
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        <ChangeButton
          permission="webhooks"
          look="primary"
          disabled={resend.isPending}
          onClick={() => resend.mutate(undefined)}
        >
          Send it again
        </ChangeButton>
      </div>
    </ModalDialog>
  )
}

type KnownProps = { endpointId: string; delivery: Delivery }

function KnownDelivery({ endpointId, delivery }: KnownProps) {
  const { eventId, organizationSequence } = delivery
  const after = String(BigInt(organizationSequence) - 1n)
  const queries = {
    attempts: useRead(
      webhookAttemptsOptions,
      { endpointId, eventId },
      { refetchInterval: EVERY_MS },
    ),
    events: useList(eventsOptions, { after, pageSize: 1 }),
  }
  const query = joinQueries(queries, (read) => read)
  return (
    <>
      <DeliveryFacts delivery={delivery} />
      <Answered query={query}>
        {({ attempts, events: [recorded] }) => (
          <>
            <section aria-label="Attempts">
              <h3>Attempts</h3>
              <AttemptList attempts={attempts} />
            </section>
            <section aria-label="Body">
              <h3>Body</h3>
              <p className="muted">It is the same at each attempt.</p>
              <JsonText value={recorded?.event} of="body" />
            </section>
          </>
        )}
      </Answered>
    </>
  )
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { nextAttemptAt } = delivery
  return (
    <dl className="facts left">
      <Fact name="Event">
        <code>{delivery.eventType}</code>
      </Fact>
      <Fact name="Resource">
        <code>{delivery.resource}</code>, its event {delivery.sequence}
      </Fact>
      <Fact name="Status">
        <span role="status">
          <StatusBadge status={deliveryStatus(delivery)} />
        </span>
      </Fact>
      {nextAttemptAt && (
        <Fact name="Next attempt">
          <Time time={nextAttemptAt} />
        </Fact>
      )}
    </dl>
  )
}
