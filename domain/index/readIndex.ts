import { observe } from '../observation/observe.ts'
import type { HeadReader } from './indexHeads.ts'
import type { IndexPools, ReadIndex } from './indexPools.ts'
import { createReplica, type ReplicaChange, type ReplicaPools } from './replica.ts'

type ReadIndexOptions = {
  primary: IndexPools
  /** Of the primary. */
  headReader: HeadReader
  replicas: readonly ReplicaPools[]
  onChange(change: ReplicaChange): void
}

/** Reads the index from the replicas in turns. Call `stop` at the end. */
export function createReadIndex({ primary, headReader, replicas, onChange }: ReadIndexOptions): {
  readIndex: ReadIndex
  stop(): Promise<unknown>
} {
  const all = replicas.map((pools) => createReplica(pools, headReader, onChange))
  let turn = 0
  return {
    async readIndex(select) {
      if (all.length === 0) return select(primary)
      const usable = all.filter((replica) => replica.isUsed())
      turn += 1
      const found = (await usable[turn % usable.length]?.read(select)) ?? null
      observe({ kind: 'indexRead', server: found ? 'replica' : 'primary' })
      return found ?? select(primary)
    },
    stop: () => Promise.all(all.map((replica) => replica.stop())),
  }
}
