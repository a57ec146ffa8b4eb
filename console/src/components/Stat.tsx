import type { ReactNode } from 'react'

type Props = { name: string; under?: ReactNode; children: ReactNode }

/** A number with its name, in a list of such. */
export function Stat({ name, under, children }: Props) {
  return (
    <div className="card stat">
      <dt>{name}</dt>
      <dd>{children}</dd>
      {under && <dd className="under">{under}</dd>}
    </div>
  )
}
