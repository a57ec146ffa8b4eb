import type { Hex } from 'viem'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { readStationEvents, type StationEvent, toStationLogs } from '../support/stationEvents.ts'

/** A chain as it was from one reorganisation to the next; it only grew in between. */
export type ChainVersion = {
  chainId: number
  /** When it was the chain, in `performance.now()` milliseconds. */
  from: number
  until: number
  head: { number: number; hash: Hex }
  events: StationEvent[]
}

/** All that a chain has ever been, as its node told it. */
export type ChainHistory = {
  chainId: number
  /** Reads the chain as it is now: the last version, once more. */
  read(): Promise<ChainVersion>
  /** Runs what changes the past of the chain, which is another version afterwards. */
  rewrite(change: () => Promise<unknown>): Promise<void>
  versions(): ChainVersion[]
}

/** Reads a node anew each time, its whole chain: nothing is remembered but what was over. */
export function createChainHistory(world: World, chainId: number): ChainHistory {
  const client = worldClient(world, chainId)
  const station = worldStations(world).find((entry) => entry.chainId === chainId)?.station
  const past: ChainVersion[] = []
  let from = performance.now()
  let present: ChainVersion | undefined

  async function read() {
    const block = await client.getBlock()
    const logs = await client.getLogs({ address: station, fromBlock: 0n, toBlock: block.number })
    present = {
      chainId,
      from,
      until: Number.POSITIVE_INFINITY,
      head: { number: Number(block.number), hash: block.hash },
      events: readStationEvents(toStationLogs(chainId, logs)),
    }
    return present
  }

  return {
    chainId,
    read,
    async rewrite(change) {
      const last = await read()
      // From here on either may be seen: the node changes while it is asked.
      from = performance.now()
      await change()
      past.push({ ...last, until: performance.now() })
      await read()
    },
    versions: () => (present ? [...past, present] : past),
  }
}
