import { type Status, StatusBadge } from './Badge.tsx'

type Props = {
  status: Status & { about: string }
  /** Whether the page is about this status, so that a reader of screens hears its changes. */
  isLive?: boolean
}

/** A status, and a sentence about it. */
export function StatusLine({ status, isLive = false }: Props) {
  return (
    <div className="order-status" {...(isLive ? { role: 'status' } : {})}>
      <StatusBadge status={status} />
      <p className="muted">{status.about}</p>
    </div>
  )
}
