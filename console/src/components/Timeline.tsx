import type { ReactNode } from 'react'
import { Time } from './Time.tsx'

/** A step of a timeline. */
export type TimelineItem = {
  key: string
  title: string
  about: ReactNode
  /** Null for a step that is still expected. */
  time: Date | null
  /** Whether nothing good follows it. */
  isBad?: boolean
  facts?: ReactNode
}

/** Steps in their order, those that are still expected last. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className="timeline">
      {items.map(({ key, title, about, time, isBad = false, facts }) => (
        <li key={key} className={time ? (isBad ? 'made ended' : 'made') : 'expected'}>
          <div className="timeline-head">
            <h3>{title}</h3>
            {time ? <Time time={time} /> : <span className="muted">Expected</span>}
          </div>
          <p className="muted">{about}</p>
          {facts && <div className="timeline-facts">{facts}</div>}
        </li>
      ))}
    </ol>
  )
}
