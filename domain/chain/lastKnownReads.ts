import { countedCache } from '../observation/countedCache.ts'
import { within } from '../watch/within.ts'
import { createSharedReads, type SharedReadsOptions } from './sharedReads.ts'
import { unlessUnavailable } from './unlessUnavailable.ts'

/** A value of a chain, and when its read began. */
export type Known<Value> = {
  value: Value
  asOf: Date
  /** Whether it is older than its reads promise, because the chain's nodes are late or silent. */
  isStale: boolean
}

/** The age of what is made from several reads: that of the oldest. */
export function oldestOf(...reads: Known<unknown>[]): Omit<Known<unknown>, 'value'> {
  return {
    isStale: reads.some(({ isStale }) => isStale),
    asOf: new Date(Math.min(...reads.map(({ asOf }) => asOf.getTime()))),
  }
}

/** Shared reads of chains that remember their last answers, for lists. */
export type LastKnownReads<Of, Value> = {
  /** Like `SharedReads`: never an answer older than `lifeMs`. For what is prepared to be signed. */
  get(of: Of): Promise<Value>
  /**
   * The same; or, while that is late or fails with `RPC_UNAVAILABLE`, the last answer, up to `maxStaleMs`
   * after its read began. Throws the read's error where there is none.
   */
  lastKnown(of: Of): Promise<Known<Value>>
}

type LastKnownOptions<Of> = SharedReadsOptions<Of> & {
  /** The greatest age of an answer that stands in for one that is late; by default there is none. */
  maxStaleMs?: number | undefined
}

type Timed<Value> = { value: Value; asOf: Date; start: number }

/** A healthy node answers within milliseconds. A request waits this long before it takes the last answer. */
const LATE_MS = 1_000

/**
 * Reads that simultaneous callers share: at most one per key at a time. Once a read was late, calls no longer
 * wait for the next ones, until one is in time.
 */
export function createLastKnownReads<Of, Value>(
  { maxStaleMs = 0, ...options }: LastKnownOptions<Of>,
  read: (of: Of) => Promise<Value>,
): LastKnownReads<Of, Value> {
  const { name, keyOf, max, lifeMs = Infinity, clock = performance } = options
  const answers = countedCache<string, Timed<Value>>(`${name}_last`, { max })
  const late = countedCache<string, true>(`${name}_late`, { max })

  const reads = createSharedReads(options, async (of: Of): Promise<Timed<Value>> => {
    const key = keyOf(of)
    const timed = { asOf: new Date(), start: clock.now() }
    try {
      const answer = { ...timed, value: await read(of) }
      answers.set(key, answer)
      late.delete(key)
      return answer
    } catch (error) {
      late.set(key, true)
      throw error
    }
  })

  function lastAnswer(key: string): Timed<Value> | undefined {
    const answer = answers.get(key)
    return answer && clock.now() - answer.start <= maxStaleMs ? answer : undefined
  }

  return {
    get: async (of) => (await reads.get(of)).value,
    async lastKnown(of) {
      const key = keyOf(of)
      const asked = reads.get(of)
      const newest = answers.get(key)
      // Most calls find a valid answer; none of these needs a timer. The read may be a refresh of it.
      if (newest && clock.now() - newest.start < lifeMs) {
        asked.catch(() => {})
        return known(newest, false)
      }
      const last = lastAnswer(key)
      if (!last) return known(await asked, false)
      const answer = await within(late.has(key) ? 0 : LATE_MS, asked.catch(unlessUnavailable))
      if (answer) return known(answer, false)
      late.set(key, true)
      return known(last, true)
    },
  }
}

function known<Value>({ value, asOf }: Timed<Value>, isStale: boolean): Known<Value> {
  return { value, asOf, isStale }
}
