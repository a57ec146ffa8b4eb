import { availableParallelism, totalmem } from 'node:os'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'

type Machine = { cores: number; memoryBytes: number }

const SMALL_MACHINE_BYTES = 8 * 1024 ** 3
/** Each indexer loads all of Ponder. Six of them take most of a start on two cores. */
const CORES_PER_LOCAL_INDEXER = 2

/**
 * The groups of chains that share an indexer process: INDEX_GROUPS, or else one process per chain, so that a chain
 * without a node holds up no other one. Local nodes share one process per two cores, and all chains share one on a
 * machine with little memory. Each chain that INDEX_GROUPS leaves out gets its own process.
 */
export function indexGroups(
  indexed: AddressBookChain[],
  configured: number[][] | undefined,
  isLocal: boolean,
  machine: Machine = { cores: availableParallelism(), memoryBytes: totalmem() },
): number[][] {
  const ids = indexed.map(({ id }) => id)
  if (configured) {
    const groups = configured
      .map((group) => group.filter((id) => ids.includes(id)))
      .filter((group) => group.length > 0)
    const grouped = new Set(groups.flat())
    return [...groups, ...ids.filter((id) => !grouped.has(id)).map((id) => [id])]
  }
  const count = Math.min(ids.length, mostIndexers(isLocal, machine))
  return Array.from({ length: count }, (_, group) => ids.filter((_, at) => at % count === group))
}

function mostIndexers(isLocal: boolean, { cores, memoryBytes }: Machine): number {
  if (memoryBytes < SMALL_MACHINE_BYTES) return 1
  return isLocal ? Math.max(1, Math.floor(cores / CORES_PER_LOCAL_INDEXER)) : Infinity
}

/** All RPC_URL_<chainId> and WS_URL_<chainId> that are set. */
export function nodeVariables(source: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      /^(RPC|WS)_URL_\d+$/.test(name) && value ? [[name, value]] : [],
    ),
  )
}
