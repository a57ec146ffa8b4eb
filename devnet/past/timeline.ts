import { type DevnetClient, type World, worldClient } from '../world.ts'

/** In seconds. */
export const DAY = 86_400
export const HOUR = 3_600
export const MINUTE = 60

/** Something that happens on one chain at one time. It may wait for earlier moments of other chains. */
export type Moment = {
  chainId: number
  /** Unix seconds. */
  at: number
  act: () => Promise<unknown>
}

/**
 * Plays the moments of each chain in the order of their times, all chains at once, on automining nodes. The
 * nodes' clocks go with them, and at the end they show the present.
 */
export async function playTimeline(world: World, moments: Moment[]): Promise<void> {
  const perChain = Map.groupBy(moments, ({ chainId }) => chainId)
  await Promise.all(
    world.addressBook.chains.map(async ({ id }) => {
      const client = worldClient(world, id)
      const inOrder = (perChain.get(id) ?? []).toSorted((a, b) => a.at - b.at)
      for (const { at, act } of inOrder) {
        await moveClock(client, at)
        await act()
      }
      await moveClock(client, Math.floor(Date.now() / 1_000))
    }),
  )
}

/** Mines a block of this time, because quotes and attestations are made from the newest block's time. */
async function moveClock(client: DevnetClient, at: number) {
  const { timestamp } = await client.getBlock()
  const next = BigInt(at) > timestamp ? BigInt(at) : timestamp + 1n
  await client.setNextBlockTimestamp({ timestamp: next })
  await client.mine({ blocks: 1 })
}
