import { ServiceError } from '../../error/serviceError.ts'
import type { EarnContext } from '../earnContext.ts'
import type { AccountantRate } from './accountantRateCache.ts'
import type { AtBlock, DeploymentCache } from './deploymentCache.ts'
import type { DeploymentState } from './deploymentStateCache.ts'
import type { EarnDeployment } from './deployments.ts'
import type { VaultHoldings } from './vaultHoldingsCache.ts'

/** A deployment with a state that was read from its chain. */
export type LiveDeployment<State = DeploymentState> = EarnDeployment & { state: AtBlock<State> }

type Context<Reads extends keyof EarnContext> = Pick<EarnContext, Reads | 'degraded'>

/**
 * Deployments with their states. A deployment that cannot be read is left out, and its chain named as
 * degraded. If no chain can be read, throws the error of the first.
 */
export function readDeploymentStates(
  { deploymentStateCache, degraded }: Context<'deploymentStateCache'>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment[]> {
  return readEach(deploymentStateCache, degraded, deployments)
}

/** Deployments with the holdings of their vaults; failures like in `readDeploymentStates`. */
export function readVaultHoldings(
  { vaultHoldingsCache, degraded }: Context<'vaultHoldingsCache'>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment<VaultHoldings>[]> {
  return readEach(vaultHoldingsCache, degraded, deployments)
}

/** Deployments with the rates of their accountants; failures like in `readDeploymentStates`. */
export function readAccountantRates(
  { accountantRateCache, degraded }: Context<'accountantRateCache'>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment<AccountantRate>[]> {
  return readEach(accountantRateCache, degraded, deployments)
}

async function readEach<State>(
  reads: DeploymentCache<State>,
  degraded: Set<number>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment<State>[]> {
  const chainIds = [...new Set(deployments.map(({ chainId }) => chainId))]
  const failures: ServiceError[] = []
  const states = new Map(
    await Promise.all(
      chainIds.map(async (chainId) => {
        const read = await reads.get(chainId).catch((error) => {
          if (!(error instanceof ServiceError)) throw error
          failures.push(error)
          return null
        })
        return [chainId, read] as const
      }),
    ),
  )
  if (failures[0] && failures.length === chainIds.length) throw failures[0]
  return deployments.flatMap((deployment) => {
    const state = states.get(deployment.chainId)?.get(deployment.vault)
    if (state) return [{ ...deployment, state }]
    degraded.add(deployment.chainId)
    return []
  })
}
