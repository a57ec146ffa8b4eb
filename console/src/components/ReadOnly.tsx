import type { ReactNode } from 'react'
import { useObstacle } from '../session/useObstacle.ts'
import { State } from './states.tsx'

/** Something that changes data, or the reason for which the person's role may not. */
export function ReadOnly({ permission, children }: { permission: string; children: ReactNode }) {
  const obstacle = useObstacle(permission)
  if (obstacle === null) return children
  return (
    <section className="card">
      <State icon="key" title="Your role may not change this">
        <p>{obstacle}</p>
      </State>
    </section>
  )
}
