import { isDeepStrictEqual } from 'node:util'
import { countedCache } from '../observation/countedCache.ts'
import { observe } from '../observation/observe.ts'
import { type HeadReader, headsIfSame, type IndexHeads } from './indexHeads.ts'
import type { IndexProgress } from './indexProgress.ts'

/** A value, with the heads of the statement that read it. */
export type AtHeads<Value> = {
  heads: IndexHeads
  value: Value
  /** Whether the value also depends on facts outside the index. Such a value is not kept. */
  mustReadAgain?: boolean
}

/** Rows of a page. What is made of them has at most `pageSize` rows, also where others are added. */
export type PageRows<Row> = { rows: readonly Row[]; pageSize: number }

/** Whether a progress finalizes the same parts of a value: see `headsIfSame`. */
type IsSameAt<Value> = (value: Value, progress: IndexProgress[]) => boolean

/** `isSameAt` of a value that depends on rows alone: only a block that changes a row changes it. */
export const ofRowsAlone = () => true

/** Reads of values that depend on the index of some chains. */
export type ReadsByHead<Value> = {
  /**
   * The value, and the progress of all chains now. The value is read again after a new head of these chains; with `isSameAt`, only after
   * a block that changes a row or the finality of the value. A value that is read again and equal stays the same object. Callers with
   * one key that come while it is read share the next read. Values are shared too: nobody may change one.
   */
  read<Own extends Value>(
    key: string,
    chainIds: readonly number[],
    select: () => Promise<AtHeads<Own>>,
    isSameAt?: IsSameAt<Own>,
  ): Promise<{ progress: IndexProgress[]; value: Own }>
}

type Options<Value> = {
  /** The name of the reads, for metrics. */
  name: string
  headReader: Pick<HeadReader, 'read' | 'isLatest' | 'note'>
  /** The size of a value with all that is made of it, in rows. */
  sizeOf: (value: Value) => number
  /** The size of the heads that are kept with each value, in rows. */
  headsInRows: number
  mostRows: number
}

export function createReadsByHead<Value>({
  name,
  headReader,
  sizeOf,
  headsInRows,
  mostRows,
}: Options<Value>): ReadsByHead<Value> {
  const last = countedCache<string, AtHeads<Value>>(name, {
    maxSize: mostRows,
    sizeCalculation: ({ value }) => sizeOf(value) + headsInRows,
  })
  const readNext = createTurns<AtHeads<Value>>()
  return {
    async read<Own extends Value>(
      key: string,
      chainIds: readonly number[],
      select: () => Promise<AtHeads<Own>>,
      isSameAt?: IsSameAt<Own>,
    ) {
      // The key says what is read, and so the type of the value.
      const known = last.get(key) as AtHeads<Own> | undefined
      const isSame = known && isSameAt && ((at: IndexProgress[]) => isSameAt(known.value, at))
      const now = known ? await headsIfSame(headReader, known.heads, chainIds, isSame) : null
      observe({ kind: 'sharedRead', of: name, isHit: now !== null })
      if (known && now) {
        known.heads = now
        return { progress: now.progress, value: known.value }
      }
      const found = await readNext(key, async () => {
        const read = await select()
        headReader.note(read.heads)
        if (read.mustReadAgain) {
          last.delete(key)
          return read
        }
        const before = last.get(key)
        const isEqual = before !== undefined && isDeepStrictEqual(before.value, read.value)
        const kept = { heads: read.heads, value: isEqual ? before.value : read.value }
        last.set(key, kept)
        return kept
      })
      return { progress: found.heads.progress, value: found.value as Own }
    },
  }
}

/** Reads with one key take turns: all that are asked for while one runs are the same read, which begins after it. */
function createTurns<Value>() {
  const running = new Map<string, Promise<Value>>()
  const next = new Map<string, Promise<Value>>()

  function begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = read()
    running.set(key, reading)
    const end = () => {
      if (running.get(key) === reading) running.delete(key)
    }
    reading.then(end, end)
    return reading
  }

  return (key: string, read: () => Promise<Value>): Promise<Value> => {
    const current = running.get(key)
    if (!current) return begin(key, read)
    const waiting = next.get(key)
    if (waiting) return waiting
    const start = () => {
      next.delete(key)
      return begin(key, read)
    }
    const following = current.then(start, start)
    next.set(key, following)
    return following
  }
}
