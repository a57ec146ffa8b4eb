import type { Hex } from 'viem'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { readStationEvents, type StationEvent, toStationLogs } from '../support/stationEvents.ts'

/** A chain between two reorganisations, while it only grew. */
export type ChainVersion = {
  chainId: number
  /** When this was the chain, in `performance.now()` milliseconds. */
  from: number
  until: number
  head: { number: number; hash: Hex }
  events: StationEvent[]
}

/** All versions of a chain, as its node showed them. */
export type ChainHistory = {
  chainId: number
  /** Reads the present chain again, as the last version. */
  read(): Promise<ChainVersion>
  /** Runs a change of the chain's past, which makes a new version. */
  rewrite(change: () => Promise<unknown>): Promise<void>
  versions(): ChainVersion[]
}

/** Reads a node's whole chain each time; only replaced versions are kept. */
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
      // From here on either version may be seen, since the node changes meanwhile.
      from = performance.now()
      await change()
      past.push({ ...last, until: performance.now() })
      await read()
    },
    versions: () => (present ? [...past, present] : past),
  }
}
