import type { ReactNode } from 'react'

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'neutral'

/** A status in a word; the colour only repeats it. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
