import { totalmem } from 'node:os'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'

const SMALL_MACHINE_BYTES = 8 * 1024 ** 3

/**
 * The groups of chains that share an indexer process: INDEX_GROUPS, or else one process per chain, or one
 * for all on a small machine. Each chain that INDEX_GROUPS leaves out gets its own process.
 */
export function indexGroups(
  indexed: AddressBookChain[],
  configured: number[][] | undefined,
): number[][] {
  const ids = indexed.map(({ id }) => id)
  if (configured) {
    const groups = configured
      .map((group) => group.filter((id) => ids.includes(id)))
      .filter((group) => group.length > 0)
    const grouped = new Set(groups.flat())
    return [...groups, ...ids.filter((id) => !grouped.has(id)).map((id) => [id])]
  }
  if (ids.length === 0) return []
  return totalmem() < SMALL_MACHINE_BYTES ? [ids] : ids.map((id) => [id])
}

/** All RPC_URL_<chainId> and WS_URL_<chainId> that are set. */
export function nodeVariables(source: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      /^(RPC|WS)_URL_\d+$/.test(name) && value ? [[name, value]] : [],
    ),
  )
}
