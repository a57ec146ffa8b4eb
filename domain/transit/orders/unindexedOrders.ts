import type { Hex } from 'viem'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import { createKeptReads, type ReadStore } from '../../cache/keptReads.ts'
import type { SharedServices } from '../../context.ts'
import { type Asker, createLookupBudget } from '../lookupBudget.ts'
import { type TransitChain, transitChains } from '../transitChains.ts'

export type UnindexedOrders = {
  /** The chain whose station has used this id for an order, or null. Throws `RPC_UNAVAILABLE`. */
  find(id: Hex, asker: Asker): Promise<number | null>
}

const LIFE_MS = 1_000
const LOOKUPS_PER_SECOND = 20

type Asked = { id: Hex; asker: Asker }

/**
 * Looks up ids that are not in the index on the stations: once per id and second, and few ids per second and
 * client, so that guessed ids cannot use up the nodes. Throws `RPC_UNAVAILABLE` if a station cannot be read or
 * a limit is reached: "not found" would be a guess.
 */
export function createUnindexedOrders(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
  store: ReadStore,
): UnindexedOrders {
  const answers = createKeptReads(
    store,
    { name: 'order_lookup', keyOf: ({ id }: Asked) => id, lifeMs: LIFE_MS },
    find,
  )
  const budget = createLookupBudget({
    what: 'unknown orders',
    perSecond: LOOKUPS_PER_SECOND,
    clock: store.clock,
  })

  async function find({ id, asker }: Asked): Promise<number | null> {
    budget.spend(asker)
    const used = await Promise.all(
      transitChains(context.addressBook).map((chain) => isUsed(context, chain, id)),
    )
    const chainIds = used.flatMap((chainId) => chainId ?? [])
    if (chainIds.length === 0) return null
    // A tombstone marks an id as used too: an id with an indexed tombstone has no order.
    const tombstones = await context.sql<{ chain_id: number }[]>`
      select chain_id from read.transit_destination where order_id = ${id} and amount_due is null`
    const tombstoned = new Set(tombstones.map(({ chain_id }) => chain_id))
    return chainIds.find((chainId) => !tombstoned.has(chainId)) ?? null
  }

  return { find: (id, asker) => answers.get({ id, asker }) }
}

async function isUsed(
  { chains }: Pick<SharedServices, 'chains'>,
  { chainId, station }: TransitChain,
  id: Hex,
): Promise<number | null> {
  const isUsed = await chains.read(chainId, (client) =>
    client.readContract({
      address: station,
      abi: transitStationAbi,
      functionName: 'usedDigests',
      args: [id],
    }),
  )
  return isUsed ? chainId : null
}
