import { ageOfRow, knownFor, type RowAge } from '../../chain/chainRows.ts'
import type { RequestScope } from '../../context.ts'
import type { EarnContext } from '../earnContext.ts'
import type { AccountantRate } from './accountantRateCache.ts'
import type { AtBlock, DeploymentCache } from './deploymentCache.ts'
import type { DeploymentState } from './deploymentStateCache.ts'
import type { EarnDeployment } from './deployments.ts'
import type { VaultHoldings } from './vaultHoldingsCache.ts'

/** A deployment with a state that was read from its chain. */
export type LiveDeployment<State = DeploymentState> = EarnDeployment &
  RowAge & { state: AtBlock<State>; asOf: Date }

type Scope = Pick<RequestScope, 'degraded' | 'lostChains'>
type Context<Reads extends keyof EarnContext> = Pick<EarnContext, Reads> & Scope

/**
 * Deployments with their states. While a chain does not answer, its last known states, whose chain is named
 * as degraded; without such, the chain is lost to the answer. A deployment whose contracts do not answer is
 * left out, and its chain named as degraded.
 */
export function readDeploymentStates(
  context: Context<'deploymentStateCache'>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment[]> {
  return readEach(context.deploymentStateCache, context, deployments)
}

/** Deployments with the holdings of their vaults; failures like in `readDeploymentStates`. */
export function readVaultHoldings(
  context: Context<'vaultHoldingsCache'>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment<VaultHoldings>[]> {
  return readEach(context.vaultHoldingsCache, context, deployments)
}

/** Deployments with the rates of their accountants; failures like in `readDeploymentStates`. */
export function readAccountantRates(
  context: Context<'accountantRateCache'>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment<AccountantRate>[]> {
  return readEach(context.accountantRateCache, context, deployments)
}

async function readEach<State>(
  reads: DeploymentCache<State>,
  scope: Scope,
  deployments: EarnDeployment[],
): Promise<LiveDeployment<State>[]> {
  const chainIds = [...new Set(deployments.map(({ chainId }) => chainId))]
  const chains = new Map(
    await Promise.all(
      chainIds.map(async (chainId) => {
        return [chainId, await knownFor(scope, chainId, reads.lastKnown(chainId))] as const
      }),
    ),
  )
  return deployments.flatMap((deployment) => {
    const known = chains.get(deployment.chainId)
    if (!known) return []
    const state = known.value.get(deployment.vault)
    if (state) return [{ ...deployment, ...ageOfRow(known), state }]
    scope.degraded.add(deployment.chainId)
    return []
  })
}
