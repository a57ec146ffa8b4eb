import type { components } from '../generated/api.ts'

type TransitOrder = components['schemas']['TransitOrder']
type Execution = components['schemas']['TransitOrderExecuted']

/** A step of an order's life, once. `order` is the order as it was read when the step was seen first. */
export type TransitStep = { order: TransitOrder } & (
  | { step: 'SUBMITTED' | 'RECEIVED' | 'PROCESSED' | 'REMOVED' | 'FINALIZED' }
  | { step: 'EXECUTED'; execution: Execution }
  /** A reorganisation took back a step that was seen. */
  | { step: 'REVERTED'; reverted: TransitStep }
)

/**
 * The steps that an order has made, in their order, each with a key of its own. They are in the order's records, so
 * that a step is not lost when two of them happen between two reads.
 */
export function transitSteps(order: TransitOrder): Map<string, TransitStep> {
  const steps: [string, TransitStep][] = [['SUBMITTED', { step: 'SUBMITTED', order }]]
  const { status, orderExecuteds, receiveTime, finalized } = order
  const isReceived =
    receiveTime.getTime() > 0 || status === 'PROCESSED' || orderExecuteds.length > 0
  if (isReceived) steps.push(['RECEIVED', { step: 'RECEIVED', order }])
  for (const execution of orderExecuteds)
    steps.push([`EXECUTED ${execution.id}`, { step: 'EXECUTED', execution, order }])
  if (status === 'PROCESSED' || status === 'REMOVED') {
    steps.push([status, { step: status, order }])
    if (finalized) steps.push(['FINALIZED', { step: 'FINALIZED', order }])
  }
  return new Map(steps)
}

/** The steps that are new after those that were seen, and before them those that were taken back. */
export function newSteps(
  seen: Map<string, TransitStep>,
  present: Map<string, TransitStep>,
): TransitStep[] {
  const order = [...present.values()][0]?.order
  const gone = [...seen].filter(([key]) => !present.has(key)).toReversed()
  const reverted = gone.flatMap(([, step]): TransitStep[] =>
    order ? [{ step: 'REVERTED', reverted: step, order }] : [],
  )
  const added = [...present].filter(([key]) => !seen.has(key)).map(([, step]) => step)
  return [...reverted, ...added]
}
