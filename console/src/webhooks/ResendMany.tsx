import { type Connection, listWebhookDeliveries, redeliverWebhook } from '@causeway/sdk'
import { webhookDeliveriesOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { formatCount } from '../format/formatNumber.ts'
import type { Delivery } from './webhookStatus.ts'

const KINDS = [
  ['failed', 'Those that failed for good'],
  ['all', 'All of them, also the delivered ones'],
] as const
const PERIODS = [
  ['3600', 'the last hour'],
  ['86400', 'the last day'],
  ['604800', 'the last 7 days'],
  ['', 'the beginning'],
] as const

type Progress = { isDone: boolean; count: number }

/** Sends the deliveries of a period again: the dead ones, or all. */
export function ResendMany({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [kind, setKind] = useState('failed')
  const [period, setPeriod] = useState('86400')
  const [progress, setProgress] = useState<Progress>({ isDone: false, count: 0 })
  const resend = useProvenChange(
    async (api) => {
      const since = period === '' ? 0 : Date.now() - Number(period) * 1_000
      const chosen = await deliveriesSince(api, { endpointId, since, isAll: kind === 'all' })
      let count = 0
      // One by one and the oldest first: they are sent in this order, and quotas are kept.
      for (const { eventId } of chosen.toReversed()) {
        await redeliverWebhook(api, { endpointId, eventId })
        setProgress({ isDone: false, count: ++count })
      }
      setProgress({ isDone: true, count })
    },
    [webhookDeliveriesOptions],
  )
  const { isDone, count } = progress
  return (
    <ConfirmDialog
      title="Send several again"
      about="Each is sent like a new delivery, with the same event id. Your server must not act on an id twice."
      action={isDone ? 'Close' : 'Send again'}
      change={{ ...resend, mutate: isDone ? onClose : resend.mutate }}
      onClose={onClose}
    >
      <Choice name="Which" options={KINDS} value={kind} onChoose={setKind} />
      <Choice name="Recorded since" options={PERIODS} value={period} onChoose={setPeriod} />
      {(isDone || count > 0) && (
        <p role="status">
          {formatCount(count)} {isDone ? 'are sent again.' : 'so far …'}
        </p>
      )}
    </ConfirmDialog>
  )
}

type Chosen = { endpointId: string; since: number; isAll: boolean }

/** The list has the newest first. */
async function deliveriesSince(
  api: Connection,
  { endpointId, since, isAll }: Chosen,
): Promise<Delivery[]> {
  const filter = isAll ? {} : { filter: { status: 'DEAD' as const } }
  const chosen: Delivery[] = []
  for await (const delivery of listWebhookDeliveries(api, {
    endpointId,
    pageSize: 100,
    ...filter,
  })) {
    if (delivery.createdAt.getTime() < since) break
    if (delivery.status !== 'WAITING') chosen.push(delivery)
  }
  return chosen
}
