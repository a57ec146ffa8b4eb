import type { RequestContext } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import type { DeploymentState } from './deploymentStates.ts'
import type { EarnDeployment } from './deployments.ts'

export type LiveDeployment = EarnDeployment & { state: DeploymentState }

/**
 * Deployments with what their chains say of them. One that cannot be read is left out, and its chain
 * named as degraded; where no chain can be read, throws what they failed with.
 */
export async function readDeployments(
  { deploymentStates, degraded }: Pick<RequestContext, 'deploymentStates' | 'degraded'>,
  deployments: EarnDeployment[],
): Promise<LiveDeployment[]> {
  const chainIds = [...new Set(deployments.map(({ chainId }) => chainId))]
  const failures: ServiceError[] = []
  const states = new Map(
    await Promise.all(
      chainIds.map(async (chainId) => {
        const read = await deploymentStates.get(chainId).catch((error) => {
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
