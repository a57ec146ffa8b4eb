import { isDeepStrictEqual } from 'node:util'
import { countedCache } from '../cache/countedCache.ts'
import { gather } from '../cache/gather.ts'
import { observe } from '../observation/observe.ts'
import { areSameHeads, type HeadReader } from './indexHeads.ts'
import type { IndexProgress } from './indexProgress.ts'

/** A value, with the heads of the statement that read it. */
export type AtHeads<Value> = {
  heads: IndexProgress[]
  /** The chains on whose rows it depends; null if it also depends on other facts. Such a value is not kept. */
  chainIds: readonly number[] | null
  value: Value
}

/** How a value of the index is read. */
type IndexRead<Value> = {
  select: () => Promise<AtHeads<Value>>
  /**
   * Whether a progress finalizes the same parts of a value: then only a block that changes a row makes another value. Left out for
   * a value that depends on the head itself.
   */
  isSameAt?: (value: Value, progress: IndexProgress[]) => boolean
  /** The size of a value with all that is made of it. */
  kilobytes: (value: Value) => number
}

/** `isSameAt` of a value that depends on rows alone. */
export const ofRowsAlone = () => true

/** Reads of values that follow from the index. */
export type IndexReads = {
  /**
   * The value, and the progress of all chains now: what was read last where a read of the heads shows that none of its chains has
   * changed since, else read again. A value that is read again and equal stays the same object. Values are shared: nobody may change one.
   */
  read<Value>(
    key: string,
    read: IndexRead<Value>,
  ): Promise<{ progress: IndexProgress[]; value: Value }>
}

export function createIndexReads(
  headReader: HeadReader,
  { kilobytes: most }: { kilobytes: number },
): IndexReads {
  const last = countedCache<string, AtHeads<unknown>>('index_values', { maxSize: most })
  const shareNext = createTurns<AtHeads<unknown>>()

  return {
    // Casts, because a key says what is read, and so the type of its value.
    async read<Value>(key: string, { select, isSameAt, kilobytes }: IndexRead<Value>) {
      const known = last.get(key) as AtHeads<Value> | undefined
      const now = known && (await headsIfSame(known, isSameAt))
      observe({ kind: 'sharedRead', of: 'index_values', isHit: Boolean(now) })
      if (known && now) {
        known.heads = now
        return { progress: now, value: known.value }
      }
      const found = await shareNext(key, async () => {
        const read = await select()
        headReader.note(read.heads)
        const before = last.get(key) as AtHeads<Value> | undefined
        const isEqual = before !== undefined && isDeepStrictEqual(before.value, read.value)
        const kept = isEqual ? { ...read, value: before.value } : read
        if (read.chainIds === null) last.delete(key)
        else last.set(key, kept, { size: Math.ceil(kilobytes(kept.value)) })
        return kept
      })
      return { progress: found.heads, value: found.value as Value }
    },
  }

  /** The heads now if a value is still the same, else null. Reads nothing where this process knows already that it may not be. */
  async function headsIfSame<Value>(
    { heads, chainIds, value }: AtHeads<Value>,
    isSameAt: IndexRead<Value>['isSameAt'],
  ): Promise<IndexProgress[] | null> {
    if (chainIds === null) return null
    const part = isSameAt ? 'last_change_hash' : 'block_hash'
    const latest = headReader.latest()
    if (!latest || !areSameHeads(heads, latest, chainIds, part)) return null
    const now = await headReader.read()
    if (areSameHeads(heads, now, chainIds)) return now
    const hasSameRows = isSameAt && areSameHeads(heads, now, chainIds, part)
    return hasSameRows && isSameAt(value, now) ? now : null
  }
}

/** Callers with one key that come while it is read share the next read, which begins after their calls. */
function createTurns<Result>() {
  type Read = () => Promise<Result>
  const turns = new Map<string, { read: (read: Read) => Promise<Result>; callers: number }>()
  return async (key: string, read: Read): Promise<Result> => {
    // Any caller's read does: they are the same.
    const begin = ([first]: Read[]) => (first ?? read)()
    const turn = turns.get(key) ?? { read: gather(begin), callers: 0 }
    turns.set(key, turn)
    turn.callers += 1
    try {
      return await turn.read(read)
    } finally {
      turn.callers -= 1
      if (turn.callers === 0) turns.delete(key)
    }
  }
}
