import { cancelWebhookReplay, startWebhookReplay } from '@causeway/sdk'
import { useRead, webhookDeliveriesOptions, webhookReplayOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { LIVE } from '../api/live.ts'
import { useProvenChange } from '../api/useProvenChange.ts'
import { StatusBadge } from '../components/Badge.tsx'
import { Bar } from '../components/Bar.tsx'
import { Card } from '../components/Card.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { replayStart } from './replayStart.ts'
import { REPLAY_STATUS, type Replay } from './webhookStatus.ts'

const AFFECTED = [webhookReplayOptions, webhookDeliveriesOptions]
const PERIODS = [
  ['3600', 'the last hour'],
  ['86400', 'the last day'],
  ['604800', 'the last 7 days'],
  ['2592000', 'the last 30 days'],
  ['', 'the beginning'],
] as const
const KINDS = [
  ['all', 'All that the endpoint selects, also what was delivered'],
  ['failed', 'Only what failed for good'],
] as const

/** Sends events of the log to an endpoint again, and shows how far that is. */
export function ReplayCard({ endpointId }: { endpointId: string }) {
  const [isAsking, setAsking] = useState(false)
  // Before the first one the answer is that there is none.
  const { data: replay } = useRead(webhookReplayOptions, { endpointId }, LIVE)
  const cancel = useProvenChange((api) => cancelWebhookReplay(api, { endpointId }), AFFECTED)
  const isUnderWay = replay?.status === 'RUNNING' || replay?.status === 'PAUSED'
  return (
    <Card
      title="Replay"
      actions={
        <ChangeButton
          permission="webhooks"
          isSmall
          disabled={cancel.isPending}
          onClick={() => (isUnderWay ? cancel.mutate(undefined) : setAsking(true))}
        >
          {isUnderWay ? 'Cancel the replay' : 'Replay events'}
        </ChangeButton>
      }
    >
      {replay ? (
        <Progress replay={replay} />
      ) : (
        <p className="muted">
          Events of the log can be sent again, in order: after an outage, or to fill a new endpoint.
        </p>
      )}
      <Refusal error={cancel.error} />
      {isAsking && <StartReplay endpointId={endpointId} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function Progress({ replay }: { replay: Replay }) {
  const { status, eventCount, sentCount, failedCount, afterSequence, position, endSequence } =
    replay
  const [begin, end, at] = [afterSequence, endSequence, position].map(Number) as [
    number,
    number,
    number,
  ]
  const percent = end === begin ? 100 : Math.floor(((at - begin) / (end - begin)) * 100)
  return (
    <div className="stack" role="status">
      <p>
        <StatusBadge status={REPLAY_STATUS[status]} /> {formatCount(sentCount)} of{' '}
        {formatCount(eventCount)} found events are delivered
        {failedCount > 0 ? `, ${formatCount(failedCount)} are dead` : ''}.
      </p>
      <Bar name="Part of the log" percent={percent} text={`${percent} % of the log`} />
    </div>
  )
}

function StartReplay({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [period, setPeriod] = useState('86400')
  const [kind, setKind] = useState('all')
  const start = useProvenChange(
    (api) =>
      startWebhookReplay(api, {
        endpointId,
        onlyFailed: kind === 'failed',
        startTime: replayStart(period),
      }),
    AFFECTED,
    { onSuccess: onClose },
  )
  return (
    <ConfirmDialog
      title="Replay events"
      about="Events of the log are sent again, in order and with the same ids. Your server must not act on an id twice."
      action="Replay"
      change={start}
      onClose={onClose}
    >
      <Choice name="Recorded since" options={PERIODS} value={period} onChoose={setPeriod} />
      <Choice name="Which" options={KINDS} value={kind} onChoose={setKind} />
    </ConfirmDialog>
  )
}
