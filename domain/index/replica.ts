import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from '../../db/isDatabaseDown.ts'
import { startLoop } from '../loop/startLoop.ts'
import { within } from '../loop/within.ts'
import { observe } from '../observation/observe.ts'
import { areSameHeads, createHeadReader, type HeadReader } from './indexHeads.ts'
import type { IndexPools, ReadRows } from './indexPools.ts'
import type { IndexProgress } from './indexProgress.ts'

export type ReplicaPools = IndexPools & {
  /** Its host and port. */
  name: string
}

/** A replica is used from now on, or left out. */
export type ReplicaChange = { replica: string; isUsed: boolean; reason: string }

export type Replica = {
  isUsed(): boolean
  /** Null if the primary must be asked. */
  read<Read extends ReadRows>(select: (pools: IndexPools) => Promise<Read>): Promise<Read | null>
  stop(): Promise<void>
}

/** So long a read waits for a replica to have the heads of the primary. A healthy one is some milliseconds behind. */
const MOST_LAG_MS = 100
/** From the first to the second try. It doubles with each. */
const FIRST_PAUSE_MS = 2
/** A replica that has not answered after so long is left out, and the primary is asked. */
const PATIENCE_MS = 2_000
const LOOK_EVERY_MS = 500
/** Postgres cancelled a statement, because it had to change what the statement reads. The next one may succeed. */
const CONFLICT = '40001'
/** A statement took too long, on a replica as on the primary. */
const TIMED_OUT = '57014'

/**
 * The rows of a replica are right if its heads are those of the primary, read after the request began: a chain's rows follow
 * from its head. It is left out while it is late, silent or down, and used again once it has the heads of the primary.
 */
export function createReplica(
  pools: ReplicaPools,
  primary: HeadReader,
  onChange: (change: ReplicaChange) => void,
): Replica {
  const { name } = pools
  const ownHeads = createHeadReader(pools.keySql)
  let isUsed = false
  observe({ kind: 'replica', name, isUsed })
  // One that is down fails each look. It was reported when it was left out.
  const looking = startLoop({ run: look, everyMs: LOOK_EVERY_MS, onFailure: () => {} })

  function use(next: boolean, reason: string) {
    if (isUsed === next) return
    isUsed = next
    observe({ kind: 'replica', name, isUsed })
    onChange({ replica: name, isUsed, reason })
  }

  async function look() {
    if (isUsed) return
    const [own, heads] = await Promise.all([within(PATIENCE_MS, ownHeads.read()), primary.read()])
    if (own && areSameHeads(own, heads, idsOf(heads))) use(true, 'it has the heads of the primary')
  }

  /** Null for a replica that does not answer, which is left out. */
  async function ask<Read>(select: (pools: IndexPools) => Promise<Read>): Promise<Read | null> {
    try {
      const found = await within(PATIENCE_MS, select(pools))
      if (found === null) use(false, `it did not answer for ${PATIENCE_MS / 1_000} s`)
      return found
    } catch (error) {
      if (!isDatabaseDown(error) || codeOf(error) === TIMED_OUT) throw error
      if (codeOf(error) !== CONFLICT) use(false, `it does not answer: ${String(error)}`)
      return null
    }
  }

  return {
    isUsed: () => isUsed,
    async read(select) {
      const until = performance.now() + MOST_LAG_MS
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
        const [found, heads] = await Promise.all([ask(select), primary.read()])
        // Other facts have no head that shows whether they are those of the primary.
        if (found === null || found.chainIds === null) return null
        if (areSameHeads(found.heads, heads, found.chainIds)) return { ...found, heads }
        // A head that must not be shown is nothing to wait for.
        if (!areReady(heads, found.chainIds)) return null
        if (performance.now() + pauseMs > until) {
          use(false, `it lacked a block of the primary for ${MOST_LAG_MS} ms`)
          return null
        }
        await sleep(pauseMs)
      }
    },
    stop: looking.stop,
  }
}

const idsOf = (heads: IndexProgress[]) => heads.map(({ chain_id }) => chain_id)

function areReady(heads: IndexProgress[], chainIds: readonly number[]): boolean {
  return chainIds.every((id) => heads.find(({ chain_id }) => chain_id === id)?.is_ready)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
