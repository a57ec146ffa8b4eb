import type { ReactNode } from 'react'

type Props = {
  /** The badge of the status. */
  children: ReactNode
  about: string
  /** Whether the page is about this status, so that a reader of screens hears its changes. */
  isLive?: boolean
}

/** A status, and a sentence about it. */
export function StatusLine({ children, about, isLive = false }: Props) {
  return (
    <div className="order-status" {...(isLive ? { role: 'status' } : {})}>
      {children}
      <p className="muted">{about}</p>
    </div>
  )
}
