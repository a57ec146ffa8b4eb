import {
  type CallOptions,
  CausewayError,
  type Connection,
  type components,
  listEvents,
} from '@causeway/sdk'

export type RecordedEvent = components['schemas']['RecordedEvent']

/** A part of the event log, the newest event first. */
type EventWindow = {
  events: RecordedEvent[]
  /** The number of the last event before this part; null at the beginning of the log, or of what is kept of it. */
  before: number | null
}

type Place = {
  /** The number of the newest event of the part; null for the newest of all. */
  end: number | null
  filter?: string
}

/** The list answers 100 rows at most. */
const PAGE_SIZE = 100
/** The numbers that one request is about; with a filter, few of them match. */
const SPAN = { whole: PAGE_SIZE, filtered: 2_000 }
/** Fewer rows than these are not worth a click, as long as there are more events to look at. */
const FEW = 20
const MOST_SPANS = 10

/** Reads the log backwards, though the API lists it forwards: by the numbers of events, which have no gaps. */
export async function readWindow(
  connection: Connection,
  { end, ...filter }: Place,
  options: CallOptions,
): Promise<EventWindow> {
  const span = filter.filter ? SPAN.filtered : SPAN.whole
  let last = end ?? (await newest(connection, options))
  const events: RecordedEvent[] = []
  for (let spans = 0; spans < MOST_SPANS && last > 0 && events.length < FEW; spans++) {
    const first = Math.max(0, last - span)
    const found = await keptBetween(connection, { first, last, ...filter }, options)
    events.push(...found.events)
    last = found.isOldest ? 0 : first
  }
  return { events, before: last > 0 ? last : null }
}

async function newest(connection: Connection, options: CallOptions): Promise<number> {
  const { nextAfter } = await listEvents(connection, { from: 'now', pageSize: 1 }, options).page()
  return Number(nextAfter)
}

type Range = { first: number; last: number; filter?: string }

/** As `between`, of the events that are kept: the API refuses a `first` before the oldest of them, and names that one. */
async function keptBetween(
  connection: Connection,
  range: Range,
  options: CallOptions,
): Promise<{ events: RecordedEvent[]; isOldest: boolean }> {
  try {
    return { events: await between(connection, range, options), isOldest: range.first === 0 }
  } catch (error) {
    if (!(error instanceof CausewayError && error.reason === 'EVENTS_EXPIRED')) throw error
    const first = Number(error.metadata.oldestSequence) - 1
    return { events: await between(connection, { ...range, first }, options), isOldest: true }
  }
}

/** The events after number `first` up to `last`, the newest first. */
async function between(
  connection: Connection,
  { first, last, ...filter }: Range,
  options: CallOptions,
): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = []
  const list = listEvents(
    connection,
    { after: String(first), pageSize: PAGE_SIZE, ...filter },
    options,
  )
  for await (const page of list.pages()) {
    found.push(
      ...page.events.filter(({ organizationSequence }) => Number(organizationSequence) <= last),
    )
    if (Number(page.nextAfter) >= last) break
  }
  return found.reverse()
}
