import type { ReactNode } from 'react'

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'neutral'

/** A status in a word; the colour only repeats it. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}

/** How a status is shown. */
export type Status = { name: string; tone: Tone }

export function StatusBadge({ status: { name, tone } }: { status: Status }) {
  return <Badge tone={tone}>{name}</Badge>
}
