import type { Order } from './orderStatus.ts'

type Step = Order['timeline'][number]

/** A step that was made, or that is still expected. */
export type TimelineEntry = {
  key: string
  title: string
  about: string
  step: Step | null
}

const TEXTS: Record<Step['step'], { title: string; about: string }> = {
  SUBMITTED: { title: 'Submitted', about: 'The station took the offered tokens.' },
  BRIDGED: { title: 'Sent over the bridge', about: 'The message left for the destination.' },
  RECEIVED: { title: 'Received', about: 'The order waits for its payment at the destination.' },
  EXECUTED: { title: 'Payment', about: 'The receiver got tokens.' },
  PROCESSED: { title: 'Paid in full', about: 'Nothing remains due.' },
  REMOVED: {
    title: 'Removed',
    about: 'The operator took the order out of the queue, so it can never be delivered.',
  },
  TOMBSTONED: {
    title: 'Refused at the destination',
    about: 'The order id was used on the destination before the order arrived there.',
  },
}

const EXPECTED = ['SUBMITTED', 'RECEIVED', 'PROCESSED'] as const
const ENDS: readonly string[] = ['PROCESSED', 'REMOVED', 'TOMBSTONED']

/** The steps of an order, and after them those that it has still to make. */
export function timelineEntries({ timeline, status }: Order): TimelineEntry[] {
  const made = timeline.map((step, at): TimelineEntry => {
    return { key: `${at} ${step.step}`, ...TEXTS[step.step], step }
  })
  if (status === 'REMOVED' || timeline.some(({ step }) => ENDS.includes(step))) return made
  const names = new Set(timeline.map(({ step }) => step))
  const expected = EXPECTED.filter((name) => !names.has(name)).map((name): TimelineEntry => {
    return { key: name, ...TEXTS[name], step: null }
  })
  return [...made, ...expected]
}
