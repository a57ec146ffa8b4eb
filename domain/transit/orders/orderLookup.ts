import type { Hex } from 'viem'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import { createSharedReads } from '../../chain/sharedReads.ts'
import type { SharedServices } from '../../context.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { type TransitChain, transitChains } from '../transitChains.ts'

export type OrderLookup = {
  /** The chain whose station has used this id for an order, or null. */
  find(id: Hex): Promise<number | null>
}

const LIFE_MS = 1_000
const LOOKUPS_PER_SECOND = 20

/**
 * Looks ids that the index does not know up on the stations: once per id and second, and few ids per
 * second, so that nobody can spend our nodes by guessing. Throws `RPC_UNAVAILABLE` when a station
 * cannot be asked or the budget is spent: "not found" would be a guess then.
 */
export function createOrderLookup(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
): OrderLookup {
  const answers = createSharedReads(
    { name: 'order_lookup', keyOf: (id: Hex) => id, max: 1_000, lifeMs: LIFE_MS },
    find,
  )
  let window = { second: 0, spent: 0 }

  function spend() {
    const second = Math.floor(Date.now() / 1_000)
    if (window.second !== second) window = { second, spent: 0 }
    window.spent += 1
    if (window.spent > LOOKUPS_PER_SECOND)
      throw new ServiceError('RPC_UNAVAILABLE', 'Too many unknown orders are being looked up', {
        retryAfterSeconds: 1,
      })
  }

  async function find(id: Hex): Promise<number | null> {
    spend()
    const used = await Promise.all(
      transitChains(context.addressBook).map((chain) => isUsed(context, chain, id)),
    )
    const chainIds = used.flatMap((chainId) => chainId ?? [])
    if (chainIds.length === 0) return null
    // A tombstone also marks an id as used: one that the index has seen stands for no order.
    const tombstones = await context.sql<{ chain_id: number }[]>`
      select chain_id from read.transit_tombstone where order_id = ${id}`
    const barred = new Set(tombstones.map(({ chain_id }) => chain_id))
    return chainIds.find((chainId) => !barred.has(chainId)) ?? null
  }

  return { find: answers.get }
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
