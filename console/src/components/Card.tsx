import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** Controls at the right of the title. */
  actions?: ReactNode
  /** Tables touch the edges. */
  isFlush?: boolean
  children: ReactNode
}

/** A part of a page, under its heading. */
export function Card({ title, actions, isFlush = false, children }: Props) {
  const id = useId()
  return (
    <section className={isFlush ? 'card flush' : 'card'} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      <div className="card-body">{children}</div>
    </section>
  )
}
