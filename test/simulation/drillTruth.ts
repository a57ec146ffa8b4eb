import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import type { Received } from '../support/webhookReceiver.ts'

export type DrillEvent = {
  organizationSequence: string
  event: { id: string; type: string; sequence: number }
}

/** An event of the database as it was restored, before any process ran on it. */
export type RestoredEvent = { id: string; organizationSequence: string; isDelivered: boolean }

export type Loss = {
  restored: RestoredEvent[]
  /** The event log just before the loss. */
  lost: DrillEvent[]
  /** How many webhooks had arrived by then. */
  arrived: number
}

/** The whole event log of a key's organization, page by page. */
export async function readEventLog(url: string, key: string): Promise<DrillEvent[]> {
  const events: DrillEvent[] = []
  let after = '0'
  for (;;) {
    const response = await fetch(`${url}/v2/events?after=${after}&pageSize=100`, {
      headers: { 'x-api-key': key },
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const page = (await response.json()) as {
      events: DrillEvent[]
      nextAfter: string
      hasMore: boolean
    }
    events.push(...page.events)
    if (!page.hasMore) return events
    after = page.nextAfter
  }
}

/** The log goes on where the backup ends, and has everything that was in it before the loss, once. */
export function checkEventLog(log: DrillEvent[], { restored, lost }: Loss): void {
  const sequences = log.map(({ organizationSequence }) => Number(organizationSequence))
  deepStrictEqual(
    sequences,
    sequences.map((_, index) => index + 1),
  )
  const place = ({ id, organizationSequence }: Omit<RestoredEvent, 'isDelivered'>) =>
    `${organizationSequence} ${id}`
  const places = log.map(({ event, organizationSequence }) =>
    place({ id: event.id, organizationSequence }),
  )
  deepStrictEqual(places.slice(0, restored.length), restored.map(place))
  const after = new Map(log.map(({ event }) => [event.id, event]))
  strictEqual(after.size, log.length)
  for (const { event } of lost) {
    const { type, sequence } = after.get(event.id) ?? {}
    deepStrictEqual({ id: event.id, type, sequence }, pick(event))
  }
  ok(lost.length > restored.length)
  ok(log.length > lost.length)
}

function pick({ id, type, sequence }: DrillEvent['event']) {
  return { id, type, sequence }
}

/**
 * Every event of the log came, those of a resource in order, before the loss and after it. Only what was not
 * delivered at the time of the backup came twice, once before the loss and once after it. Returns how many did.
 */
export function checkDeliveries(
  received: Received[],
  log: DrillEvent[],
  { restored, arrived }: Loss,
): number {
  deepStrictEqual(
    [...new Set(received.map(({ event }) => event.id))].sort(),
    log.map(({ event }) => event.id).sort(),
  )
  const [before, after] = [received.slice(0, arrived), received.slice(arrived)]
  for (const part of [before, after])
    for (const events of Map.groupBy(part, resourceOf).values()) {
      const sequences = events.map(({ event }) => event.sequence)
      deepStrictEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => a - b),
      )
    }
  const delivered = new Set(restored.filter(({ isDelivered }) => isDelivered).map(({ id }) => id))
  const early = new Set(before.map(({ event }) => event.id))
  const repeated = after.filter(({ event }) => early.has(event.id))
  deepStrictEqual(
    repeated.filter(({ event }) => delivered.has(event.id)).map(({ event }) => event.id),
    [],
  )
  return repeated.length
}

/** The order or the deposit of an event; a sequence counts the events of one. */
function resourceOf({ body }: Received): string {
  const found = /"(?:deposit_id|order_id)":"(0x[0-9a-f]+)"/.exec(body)?.[1]
  if (!found) throw new Error(`an event of nothing: ${body}`)
  return found
}
