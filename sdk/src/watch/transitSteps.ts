import type { components } from '../generated/api.ts'

type TransitOrder = components['schemas']['TransitOrder']
type TimelineStep = components['schemas']['TransitOrderStep']

/** The amounts of a step, in base units: the offer at SUBMITTED, else of the want asset. */
type Amounts = {
  SUBMITTED: { amount: bigint }
  RECEIVED: { amount: bigint; remaining: bigint }
  EXECUTED: { amount: bigint; remaining: bigint }
  PROCESSED: { remaining: bigint }
  REMOVED: { remaining: bigint }
}

/** A step of the order's timeline, with its chain, transaction, block and time. */
type MadeStep = {
  [Step in TimelineStep['step']]: Omit<TimelineStep, 'step' | 'amount' | 'remaining'> & {
    step: Step
  } & (Step extends keyof Amounts ? Amounts[Step] : unknown)
}[TimelineStep['step']]

/** A step of an order's life, once. `order` is the order as it was read when the step was seen first. */
export type TransitStep = { order: TransitOrder } & (
  | MadeStep
  /** It has ended, and no reorganisation is expected to undo that. */
  | { step: 'FINALIZED' }
  /** A reorganisation took back a step that was seen. */
  | { step: 'REVERTED'; reverted: TransitStep }
)

/**
 * The steps that an order has made, in their order, each with a key of its own. They are the order's timeline, so that a
 * step is not lost when two of them happen between two reads.
 */
export function transitSteps(order: TransitOrder): Map<string, TransitStep> {
  const steps = order.timeline.map((made): [string, TransitStep] => {
    const { step, txHash, remaining } = made
    // One transaction can execute an order twice: then less remains after the second time.
    // The API gives each step the amounts that belong to it.
    return [`${step} ${txHash} ${remaining}`, { ...(made as MadeStep), order }]
  })
  if (hasEnded(order) && order.finalized) steps.push(['FINALIZED', { step: 'FINALIZED', order }])
  return new Map(steps)
}

/** Whether it is paid or can never be paid. A reorganisation can still undo that until it is finalized. */
export function hasEnded({ status }: TransitOrder): boolean {
  return status === 'PROCESSED' || status === 'REMOVED'
}

/**
 * The steps that are new after those that were seen, and before them those that were taken back, newest first. No
 * order is an order that is known no more.
 */
export function newSteps(
  seen: Map<string, TransitStep>,
  present: Map<string, TransitStep>,
): TransitStep[] {
  const now = [...present.values()][0]?.order
  const gone = [...seen].filter(([key]) => !present.has(key)).reverse()
  const reverted = gone.map(
    ([, step]): TransitStep => ({ step: 'REVERTED', reverted: step, order: now ?? step.order }),
  )
  const added = [...present].filter(([key]) => !seen.has(key)).map(([, step]) => step)
  return [...reverted, ...added]
}
