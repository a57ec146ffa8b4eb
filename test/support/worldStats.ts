import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { readStationEvents, toStationLogs } from './stationEvents.ts'
import { foldStats, type StatsRow } from './statsOracle.ts'

/** The rows of `/v1/transit/stats` that follow from all logs of the world's stations. */
export async function worldStats(
  world: World,
  range: { startTime: number; endTime: number; interval?: number },
): Promise<StatsRow[]> {
  const read = worldStations(world).map(async ({ chainId, eid, station: address }) => {
    const client = worldClient(world, chainId)
    const { number, timestamp } = await client.getBlock()
    const logs = await client.getLogs({ address, fromBlock: 0n, toBlock: number })
    const { finalityDepth = 0 } = world.addressBook.chains.find(({ id }) => id === chainId) ?? {}
    const chain = { chainId, eid, finalityDepth, head: Number(number), headTime: Number(timestamp) }
    return { chain, logs: toStationLogs(chainId, logs) }
  })
  const chains = await Promise.all(read)
  const { tokens } = world.addressBook
  return foldStats(
    chains.map(({ chain }) => chain),
    readStationEvents(chains.flatMap(({ logs }) => logs)),
    {
      ...range,
      decimals: (chainId, token) =>
        tokens.find((known) => known.chainId === chainId && known.address === token)?.decimals ?? 0,
    },
  )
}
