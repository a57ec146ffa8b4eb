import { createConnection } from '@causeway/sdk'
import { expect, test } from 'vitest'
import { readWindow } from './readWindow.ts'

/** The events of a log that begins with number `oldest`; every tenth one fits the filter. */
type Log = { oldest: number; newest: number }

/** A connection to an API with this log, which answers as `GET /v2/webhooks/events` does. */
function connectTo({ oldest, newest }: Log) {
  return createConnection({
    url: 'http://api.test',
    fetch: async (input) => {
      const { searchParams } = new URL(String(input))
      const isNow = searchParams.get('from') === 'now'
      const after = isNow ? newest : Number(searchParams.get('after'))
      if (after < oldest - 1) return expired(oldest)
      const size = Number(searchParams.get('pageSize'))
      const step = searchParams.has('filter') ? 10 : 1
      const fitting = Array.from(
        { length: newest - after },
        (_, index) => after + 1 + index,
      ).filter((number) => number % step === 0)
      const numbers = fitting.slice(0, size)
      const hasMore = fitting.length > size
      const events = numbers.map((number) => ({ organizationSequence: String(number) }))
      const nextAfter = String(hasMore ? numbers.at(-1) : newest)
      return Response.json({ events, nextAfter, hasMore })
    },
  })
}

function expired(oldest: number): Response {
  const metadata = { oldestSequence: String(oldest) }
  const info = { '@type': 'ErrorInfo', reason: 'EVENTS_EXPIRED', metadata, fieldViolations: [] }
  const error = {
    code: 400,
    message: 'no longer kept',
    status: 'INVALID_ARGUMENT',
    details: [info],
  }
  return Response.json({ error }, { status: 400 })
}

const FILTER = { filter: 'type = "ping"' }

/** The numbers of each part, from the newest event to the end of the log. */
async function readAll(log: Log, filter: { filter?: string } = {}): Promise<number[][]> {
  const parts: number[][] = []
  let end: number | null = null
  do {
    const part = await readWindow(connectTo(log), { end, ...filter }, {})
    parts.push(part.events.map(({ organizationSequence }) => Number(organizationSequence)))
    end = part.before
  } while (end !== null)
  return parts
}

/** The numbers from `newest` down to `oldest`. */
const down = (newest: number, oldest: number, step = 1) =>
  Array.from(
    { length: Math.floor((newest - oldest) / step) + 1 },
    (_, index) => newest - index * step,
  )

test('default: the log backwards, in parts', async () => {
  const log = { oldest: 1, newest: 250 }
  expect(await readAll(log)).toEqual([down(250, 151), down(150, 51), down(50, 1)])
  expect(await readAll(log, FILTER)).toEqual([down(250, 10, 10)])
  expect(await readAll({ oldest: 1, newest: 0 })).toEqual([[]])
})

test('behavior: after a retention it ends with the oldest event that is kept', async () => {
  const log = { oldest: 9_901, newest: 10_150 }
  expect(await readAll(log)).toEqual([
    down(10_150, 10_051),
    down(10_050, 9_951),
    down(9_950, 9_901),
  ])
  expect(await readAll(log, FILTER)).toEqual([down(10_150, 9_910, 10)])
})

test.each([
  ['few events are kept', { oldest: 9_991, newest: 10_000 }, [down(10_000, 9_991)]],
  ['none is kept', { oldest: 10_001, newest: 10_000 }, [[]]],
])('behavior: %s', async (_, log, parts) => {
  expect(await readAll(log)).toEqual(parts)
  expect((await readAll(log, FILTER)).flat()).toEqual(parts.flat().filter((one) => one % 10 === 0))
})

test('behavior: what was kept when a part was read, and is no more', async () => {
  const connection = connectTo({ oldest: 500, newest: 600 })
  expect(await readWindow(connection, { end: 400 }, {})).toEqual({ events: [], before: null })
})
