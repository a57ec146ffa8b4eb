import { deepStrictEqual } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type World, worldClient } from '../../devnet/world.ts'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { type FoldedTables, TABLES } from '../support/foldedRows.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { readVaultTables } from '../support/readVaultTables.ts'
import { foldVaultTables } from '../support/vaultFold.ts'
import { readVaultEvents, type VaultEvent, vaultContracts } from '../support/vaultLogs.ts'

/**
 * Compares the index's vault tables with the result of the nodes' logs, at a moment when the index is at
 * blocks that the nodes have. Resolves to the number of rows. Throws at the first table that differs.
 */
export async function checkVaultTables(
  sql: Sql,
  world: World,
  book: Pick<AddressBookFile, 'vaults'> = world.addressBook,
): Promise<number> {
  const tables = await compareVaultTables(sql, world, book)
  return Object.values(tables).reduce((sum, { size }) => sum + size, 0)
}

/** Like `checkVaultTables`, and resolves to the rows. */
export async function compareVaultTables(
  sql: Sql,
  world: World,
  book: Pick<AddressBookFile, 'vaults'> = world.addressBook,
): Promise<FoldedTables> {
  const contracts = vaultContracts(book)
  const chainIds = [...new Set(contracts.map(({ chainId }) => chainId))].filter(
    (chainId) => world.rpcUrls[chainId],
  )
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(20)) {
    const { heads, hashes, tables } = await readVaultTables(sql)
    const chains = await Promise.all(
      chainIds.map((chainId) => readChain(world, { chainId, head: heads[chainId], contracts })),
    )
    if (chains.every((chain) => chain && chain.hash === hashes[chain.chainId])) {
      const events = chains.flatMap((chain) => chain?.events ?? [])
      const expected = foldVaultTables(contracts, events, heads)
      for (const table of TABLES) deepStrictEqual(tables[table], expected[table], table)
      return expected
    }
    if (Date.now() > deadline) throw new Error(`not synced in time: ${JSON.stringify(heads)}`)
  }
}

type Place = {
  chainId: number
  head: number | undefined
  contracts: ReturnType<typeof vaultContracts>
}
type Chain = { chainId: number; hash: string; events: VaultEvent[] }

/** Null if the chain is not indexed, or is shorter now. */
async function readChain(world: World, place: Place): Promise<Chain | null> {
  const { chainId, head, contracts } = place
  if (head === undefined) return null
  const client = worldClient(world, chainId)
  const block = await client.getBlock({ blockNumber: BigInt(head) }).catch(() => null)
  if (!block) return null
  const address = contracts
    .filter((entry) => entry.chainId === chainId)
    .map((entry) => entry.address)
  const logs = await client.getLogs({
    // The book's addresses, in lower case.
    address: address as `0x${string}`[],
    fromBlock: 0n,
    toBlock: block.number,
  })
  const placed = logs.map((log) => ({
    ...log,
    blockNumber: Number(log.blockNumber),
    blockTimestamp: Number(log.blockTimestamp),
  }))
  return { chainId, hash: block.hash, events: readVaultEvents(chainId, placed, contracts) }
}
