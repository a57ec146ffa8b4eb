import type { Hex } from 'viem'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import { createSharedReads } from '../../chain/sharedReads.ts'
import type { RequestScope, SharedServices } from '../../context.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { type TransitChain, transitChains } from '../transitChains.ts'

export type UnindexedOrders = {
  /** The chain whose station has used this id for an order, or null. Throws `RPC_UNAVAILABLE`. */
  find(id: Hex, asker: Asker): Promise<number | null>
}

const LIFE_MS = 1_000
const LOOKUPS_PER_SECOND = 20
/** Otherwise one client that guesses ids would keep all others from theirs. */
const LOOKUPS_PER_CLIENT = { key: LOOKUPS_PER_SECOND / 2, address: LOOKUPS_PER_SECOND / 4 }

/** Whose request it is. */
type Asker = Pick<RequestScope, 'caller' | 'clientAddress'>

type Asked = { id: Hex; asker: Asker }

/**
 * Looks up ids that are not in the index on the stations: once per id and second, and few ids per second and
 * client, so that guessed ids cannot use up the nodes. Throws `RPC_UNAVAILABLE` if a station cannot be read or
 * a limit is reached: "not found" would be a guess.
 */
export function createUnindexedOrders(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
): UnindexedOrders {
  const answers = createSharedReads(
    { name: 'order_lookup', keyOf: ({ id }: Asked) => id, max: 1_000, lifeMs: LIFE_MS },
    find,
  )
  let window = { second: 0, spent: 0, by: new Map<string, number>() }

  function spend({ caller, clientAddress }: Asker) {
    const second = Math.floor(Date.now() / 1_000)
    if (window.second !== second) window = { second, spent: 0, by: new Map() }
    const name = caller?.keyId ?? clientAddress
    const own = window.by.get(name) ?? 0
    const most = LOOKUPS_PER_CLIENT[caller ? 'key' : 'address']
    if (own >= most || window.spent >= LOOKUPS_PER_SECOND)
      throw new ServiceError('RPC_UNAVAILABLE', 'Too many unknown orders are being looked up', {
        retryAfterSeconds: 1,
      })
    window.by.set(name, own + 1)
    window.spent += 1
  }

  async function find({ id, asker }: Asked): Promise<number | null> {
    spend(asker)
    const used = await Promise.all(
      transitChains(context.addressBook).map((chain) => isUsed(context, chain, id)),
    )
    const chainIds = used.flatMap((chainId) => chainId ?? [])
    if (chainIds.length === 0) return null
    // A tombstone marks an id as used too: an id with an indexed tombstone has no order.
    const tombstones = await context.sql<{ chain_id: number }[]>`
      select chain_id from read.transit_tombstone where order_id = ${id}`
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
