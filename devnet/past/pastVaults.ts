import {
  DEPOSIT_SEEDS,
  isHeld,
  REQUEST_SEEDS,
  type RequestSeed,
  type SubmittedRequests,
  seedDeposit,
  seedRequests,
} from '../vaults/seedVaults.ts'
import type { World } from '../world.ts'
import { DAY, HOUR, MINUTE, type Moment } from './timeline.ts'

/** The rounds with withdrawals of every ending; the others have every second of these payouts. */
const EVERY_ENDING_ROUNDS = [1, 4]

const PAYOUTS: RequestSeed[] = [
  { vault: 'Harbor Ether', chainId: 1, user: 0, want: 'WETH', shares: '1.5', ending: 'paid' },
  { vault: 'Harbor Dollar', chainId: 1, user: 0, want: 'USDG', shares: '400', ending: 'paid' },
  { vault: 'Harbor Prime', chainId: 1, user: 1, want: 'USDG', shares: '900', ending: 'paid' },
  { vault: 'Harbor Ether', chainId: 8453, user: 1, want: 'WETH', shares: '0.4', ending: 'paid' },
  { vault: 'Harbor Dollar', chainId: 8453, user: 2, want: 'USDC', shares: '120', ending: 'paid' },
  { vault: 'Harbor Gold', chainId: 999, user: 0, want: 'USDS', shares: '1.5', ending: 'paid' },
  {
    vault: 'Harbor Dollar',
    chainId: 2201,
    user: 0,
    want: 'USDG',
    shares: '45',
    ending: 'refunded',
  },
]

/** Deposits on the given days, and withdrawals that are submitted a day later and end within hours. */
export function pastVaults(world: World, from: number, roundDays: number[]): Moment[] {
  return roundDays.flatMap((day, round) => {
    const at = from + day * DAY
    const requests = [
      ...PAYOUTS.filter((_, index) => (round + index) % 2 === 0),
      ...(EVERY_ENDING_ROUNDS.includes(round)
        ? REQUEST_SEEDS.filter(({ ending }) => !isHeld(ending))
        : []),
    ].filter(({ chainId }) => world.rpcUrls[chainId])
    return [
      ...deposits(world, round, at + 11 * HOUR),
      ...[...Map.groupBy(requests, ({ chainId }) => chainId)].flatMap(([chainId, seeds]) =>
        withdrawals(world, seeds, { chainId, at: at + DAY + 14 * HOUR }),
      ),
    ]
  })
}

/** Each round has other amounts. The first has every deposit, because later ones withdraw from it. */
function deposits(world: World, round: number, from: number): Moment[] {
  return DEPOSIT_SEEDS.flatMap((seed, index) => {
    const isLeftOut = round > 0 && (round + index) % 2 === 0
    if (isLeftOut || !world.rpcUrls[seed.chainId]) return []
    const units = String((Number(seed.units) * (2 + ((round * 3 + index) % 5))) / 4)
    const at = from + index * 23 * MINUTE
    return [{ chainId: seed.chainId, at, act: () => seedDeposit(world, { ...seed, units }) }]
  })
}

function withdrawals(
  world: World,
  seeds: RequestSeed[],
  { chainId, at }: { chainId: number; at: number },
): Moment[] {
  const submitted = Promise.withResolvers<SubmittedRequests>()
  return [
    { chainId, at, act: async () => submitted.resolve(await seedRequests(world, seeds)) },
    { chainId, at: at + 20 * MINUTE, act: async () => (await submitted.promise).steer() },
    { chainId, at: at + 3 * HOUR, act: async () => (await submitted.promise).process() },
  ]
}
