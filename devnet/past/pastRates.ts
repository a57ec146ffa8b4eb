import { encodeFunctionData } from 'viem'
import { DEVNET_ACTORS } from '../accounts.ts'
import { VAULT_CHAINS, type VaultDeployment } from '../vaults/deployment.ts'
import { accountantOperatorAbi } from '../vaults/operatorAbis.ts'
import { sendCall } from '../vaults/sendCall.ts'
import type { World } from '../world.ts'
import { DAY, HOUR, type Moment } from './timeline.ts'

/** How a vault's rate moves, in millionths of it. */
type RateCourse = {
  daily: number
  /** Losses, by day. */
  losses?: Record<number, number>
  /** The first day without any more updates. */
  stillFrom?: number
}

/** By vault. The rate of a vault that is missing here was never updated. */
const COURSES: Record<string, RateCourse> = {
  'Harbor Ether': { daily: 90 },
  'Harbor Prime': { daily: 260, losses: { 20: 6_000, 21: 1_500 } },
  'Harbor Gold': { daily: -25 },
  'Harbor Dollar': { daily: 130 },
  'Harbor Classic': { daily: 180, stillFrom: 31 },
}

const MILLION = 1_000_000n

/** One update a day of every vault that is updated. The deployments of one vault have the same rates. */
export function pastRates(world: World, from: number, days: number): Moment[] {
  return VAULT_CHAINS.filter(({ chainId }) => world.rpcUrls[chainId]).flatMap(
    ({ chainId, deployments }) => {
      const courses = deployments.map((deployment) => ({
        deployment,
        rates: dailyRates(deployment, days),
      }))
      return Array.from({ length: days }, (_, day) => ({
        chainId,
        at: from + day * DAY + HOUR,
        async act() {
          for (const { deployment, rates } of courses) {
            const rate = rates[day]
            if (rate !== undefined) await updateRate(world, deployment, rate)
          }
        },
      }))
    },
  )
}

/** The rate of each day on which there is an update. */
function dailyRates({ plan }: VaultDeployment, days: number): bigint[] {
  const course = COURSES[plan.name]
  if (!course) return []
  const { daily, losses = {}, stillFrom = days } = course
  let rate = 10n ** BigInt(plan.decimals)
  return Array.from({ length: Math.min(stillFrom, days) }, (_, day) => {
    const loss = losses[day]
    const step = loss === undefined ? Math.round(daily * swing(day)) : -loss
    rate += (rate * BigInt(step)) / MILLION
    return rate
  })
}

/** 0.5 to 1.5, another one each day. */
function swing(day: number): number {
  return 0.5 + ((day * 37) % 11) / 10
}

async function updateRate(world: World, { chainId, current }: VaultDeployment, rate: bigint) {
  await sendCall(world, chainId, {
    account: DEVNET_ACTORS.rateUpdater,
    address: current.accountant,
    data: encodeFunctionData({
      abi: accountantOperatorAbi,
      functionName: 'updateExchangeRate',
      args: [rate],
    }),
  })
}
