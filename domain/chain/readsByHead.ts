import { countedCache } from '../observation/countedCache.ts'
import { observe } from '../observation/observe.ts'
import { areSameHeads, type HeadReader, type IndexHeads } from './indexHeads.ts'
import type { IndexProgress } from './indexProgress.ts'

/** A value, with the heads of the statement that read it. */
export type AtHeads<Value> = { heads: IndexHeads; value: Value }

/** Reads of values that follow from the index of some chains alone. */
export type ReadsByHead<Value> = {
  /**
   * The value, and the progress of all chains now. It is not read again while no head of these chains moves, or, with `isOfRows`, while
   * no block changes a row of theirs. Callers with one
   * key that come while it is read share the next read. Values are shared too: nobody may change one.
   */
  read<Own extends Value>(
    key: string,
    chainIds: readonly number[],
    select: () => Promise<AtHeads<Own>>,
  ): Promise<{ progress: IndexProgress[]; value: Own }>
}

type Options<Value> = {
  /** The name of the reads, for metrics. */
  name: string
  headReader: Pick<HeadReader, 'read' | 'isLatest' | 'note'>
  /** Whether a value follows from rows alone, so that blocks that change none leave it as it is. */
  isOfRows?: boolean
  /** The rows of a value. */
  rowsOf: (value: Value) => readonly unknown[]
  mostRows: number
}

export function createReadsByHead<Value>({
  name,
  headReader,
  isOfRows = false,
  rowsOf,
  mostRows,
}: Options<Value>): ReadsByHead<Value> {
  const last = countedCache<string, AtHeads<Value>>(name, {
    maxSize: mostRows,
    sizeCalculation: ({ value }) => rowsOf(value).length + 1,
  })
  const of = isOfRows ? 'lastChange' : 'head'
  const readNext = createTurns<AtHeads<Value>>()
  return {
    async read<Own extends Value>(
      key: string,
      chainIds: readonly number[],
      select: () => Promise<AtHeads<Own>>,
    ) {
      const known = last.get(key)
      const now =
        known && headReader.isLatest(known.heads, chainIds, of) ? await headReader.read() : null
      const isHit =
        known !== undefined && now !== null && areSameHeads(known.heads, now, chainIds, of)
      observe({ kind: 'sharedRead', of: name, isHit })
      // The key says what is read, and so the type of the value.
      if (isHit) return { progress: now.progress, value: known.value as Own }
      const found = await readNext(key, async () => {
        const read = await select()
        headReader.note(read.heads)
        last.set(key, read)
        return read
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
