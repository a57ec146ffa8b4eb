import type { LRUCache } from 'lru-cache'
import { unlessUnavailable } from '../error/unlessUnavailable.ts'
import { within } from '../loop/within.ts'
import { observe } from '../observation/observe.ts'
import { countedCache } from './countedCache.ts'
import type { PublishedRead, PublishedReads } from './publishedReads.ts'

/** Milliseconds from an arbitrary start, like `performance`. */
export type Clock = { now(): number }

/** A value, and when its read began. */
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

/** `start` is when its read began. `spread`, from 0 to 1, decides when it is refreshed. */
type Answer<Value> = { value: Value; asOf: Date; start: number; spread: number }

/** Times are of the clock. */
type Entry<Value> = {
  /** The read that calls share until `until`, also while it is under way. */
  shared: Promise<Answer<Value>>
  until: number
  refreshAt: number
  /** The newest answer. */
  last: Answer<Value> | null
  /** Whether the newest read was late, or failed. */
  isLate: boolean
}

/** The cache of several kinds of reads. */
export type ReadStore = {
  entries: LRUCache<string, Entry<unknown>>
  clock: Clock
  maxStaleMs: number
  /** Where other processes publish what they read; null if each reads for itself. */
  published: PublishedReads | null
}

type StoreOptions = {
  max: number
  /** The greatest age of an answer that stands in for one that is late; by default there is none. */
  maxStaleMs?: number
  /** By default the process's own. */
  clock?: Clock | undefined
}

/** Reads whose keys the address book bounds may share a store. Where callers choose keys, one of them could evict what is there. */
export function createReadStore(
  name: string,
  { max, maxStaleMs = 0, clock = performance }: StoreOptions,
): ReadStore {
  return { entries: countedCache(name, { max }), clock, maxStaleMs, published: null }
}

export type KeptReads<Of, Value> = {
  /** The answer, read now or for a call at most `lifeMs` ago. Throws the read's error. For what is prepared to be signed. */
  get(of: Of): Promise<Value>
  /**
   * The same for lists; or, while that is late or fails with `RPC_UNAVAILABLE`, the last answer, up to the store's `maxStaleMs`
   * after its read began. Throws the read's error where there is none.
   */
  lastKnown(of: Of): Promise<Known<Value>>
  /** The answer if it is here and valid, without waiting or reading. */
  known(of: Of): Value | undefined
}

type KeptReadsOptions<Of> = {
  /** The name of the reads, for metrics. */
  name: string
  /** Two calls with the same key share an answer. */
  keyOf: (of: Of) => string
  /** How long an answer is valid, from the start of its read; without it, for ever. */
  lifeMs?: number
  /**
   * The latest time at which a call starts a new read, while all calls still get the valid answer. The
   * time is random between half of it and all of it, so that entries made together are not always
   * refreshed together.
   */
  refreshMs?: number
  /** How long a failure is returned again, from when it came; without it, not at all. */
  failureLifeMs?: number
}

/** A healthy node answers within milliseconds. A request waits this long before it takes the last answer. */
const LATE_MS = 1_000

/**
 * Reads that callers share for a time. Once a read was late, lists no longer wait for the next ones, until one is in
 * time.
 */
export function createKeptReads<Of, Value>(
  { entries, clock, maxStaleMs, published }: ReadStore,
  options: KeptReadsOptions<Of>,
  read: (of: Of) => Promise<Value>,
): KeptReads<Of, Value> {
  const { name, lifeMs = Infinity, refreshMs = Infinity, failureLifeMs = 0 } = options
  const keyOf = (of: Of) => `${name}:${options.keyOf(of)}`
  // Cast, because the name of the reads is in the key: no others write this entry.
  const entryOf = (key: string) => entries.get(key) as Entry<Value> | undefined

  type Wanted = Pick<PublishedRead<Value>, 'maxAgeMs' | 'isEarly'>

  async function readNow(of: Of, start: number, wanted: Wanted): Promise<Answer<Value>> {
    if (!published) {
      const asOf = new Date()
      return { value: await read(of), asOf, start, spread: Math.random() }
    }
    const answer = await published.get({ name, key: keyOf(of), ...wanted, read: () => read(of) })
    const { value, ageMs, spread } = answer
    return { value, asOf: new Date(Date.now() - ageMs), start: clock.now() - ageMs, spread }
  }

  function times({ start, spread }: Pick<Answer<Value>, 'start' | 'spread'>) {
    return { until: start + lifeMs, refreshAt: start + refreshMs * (0.5 + spread / 2) }
  }

  function begin(key: string, of: Of): Entry<Value> {
    const start = clock.now()
    const shared = readNow(of, start, { maxAgeMs: lifeMs })
    const known = entryOf(key)
    const whileReading = { shared, ...times({ start, spread: 1 }) }
    const entry = Object.assign(known ?? { last: null, isLate: false }, whileReading)
    if (!known) entries.set(key, entry)
    shared.then(
      (last) => {
        const isNewest = entry.shared === shared
        Object.assign(entry, { last, isLate: false }, isNewest ? times(last) : {})
      },
      () => {
        entry.isLate = true
        if (entry.shared !== shared) return
        Object.assign(entry, { until: clock.now() + failureLifeMs, refreshAt: Infinity })
        const isNothing = failureLifeMs === 0 && entry.last === null
        if (isNothing && entries.peek(key) === entry) entries.delete(key)
      },
    )
    return entry
  }

  function refresh(entry: Entry<Value>, of: Of) {
    entry.refreshAt = Infinity
    const start = clock.now()
    // Newer than the one here, whose refresh is due after half of this time at the earliest.
    const shared = readNow(of, start, { maxAgeMs: refreshMs / 2, isEarly: true })
    shared.then(
      (last) => Object.assign(entry, { shared, ...times(last), last, isLate: false }),
      // The next read after the valid answer expires reports the failure.
      () => Object.assign(entry, { isLate: true }),
    )
  }

  function ask(of: Of): Entry<Value> {
    const key = keyOf(of)
    const entry = entryOf(key)
    const now = clock.now()
    const isHit = entry !== undefined && now < entry.until
    observe({ kind: 'sharedRead', of: name, isHit })
    if (!isHit) return begin(key, of)
    if (now >= entry.refreshAt) refresh(entry, of)
    return entry
  }

  const isValid = ({ start }: Answer<Value>) => clock.now() - start < lifeMs

  return {
    get: async (of) => (await ask(of).shared).value,
    async lastKnown(of) {
      const entry = ask(of)
      const { shared, last } = entry
      // Most calls find a valid answer; none of these needs a timer. The read may be a refresh of it.
      if (last && isValid(last)) {
        shared.catch(() => {})
        return known(last, false)
      }
      if (!last || clock.now() - last.start > maxStaleMs) return known(await shared, false)
      const answer = await within(entry.isLate ? 0 : LATE_MS, shared.catch(unlessUnavailable))
      if (answer) return known(answer, false)
      entry.isLate = true
      return known(last, true)
    },
    known(of) {
      const last = entryOf(keyOf(of))?.last
      return last && isValid(last) ? last.value : undefined
    },
  }
}

function known<Value>({ value, asOf }: Answer<Value>, isStale: boolean): Known<Value> {
  return { value, asOf, isStale }
}
