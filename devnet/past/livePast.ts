import type { World } from '../world.ts'
import { pastOrders } from './pastOrders.ts'
import { pastRates } from './pastRates.ts'
import { pastVaults } from './pastVaults.ts'
import { playTimeline } from './timeline.ts'

/** The age of the local world's chains at its first start. */
export const PAST_DAYS = 45

/** Days since the beginning on which users were busy. */
const ROUND_DAYS = [0, 7, 15, 23, 30, 37, 42]

/**
 * Gives new chains a past that begins at `from` (Unix seconds) and ends now: rates that rise, fall and stand
 * still, deposits, withdrawals of every ending, orders in both directions. Blocks are made only where
 * something happens. Needs automining nodes with the contracts of the local world.
 */
export async function livePast(world: World, from: number): Promise<void> {
  await playTimeline(world, [
    ...pastRates(world, from, PAST_DAYS),
    ...pastVaults(world, from, ROUND_DAYS),
    ...pastOrders(world, from, ROUND_DAYS),
  ])
}
