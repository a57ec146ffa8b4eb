import type { Address } from 'viem'
import type { RowAge } from '../../chain/chainRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { earnDeployments } from './deployments.ts'
import { readAccountantRates } from './liveDeployments.ts'

type Place = { chainId: number; vault: Address }

/** Base units of the base per whole share. */
export type RowRate = RowAge & { rate: bigint }

/**
 * The rates of vaults whose accountants never updated them, by `deploymentKey`. The index has no event of these,
 * and the rate on the chain now is the rate from the start. A rate that cannot be read is left out, like in
 * `readAccountantRates`.
 */
export async function neverUpdatedRates(
  context: EarnContext,
  places: Place[],
): Promise<Map<string, RowRate>> {
  if (places.length === 0) return new Map()
  const wanted = new Set(places.map(deploymentKey))
  const deployments = earnDeployments(context.addressBook).filter((entry) =>
    wanted.has(deploymentKey(entry)),
  )
  const live = await readAccountantRates(context, deployments)
  return new Map(
    live.map(({ stale, asOf, state, ...place }) => [
      deploymentKey(place),
      { rate: state.exchangeRate, stale, asOf },
    ]),
  )
}

/** The key of a deployment among all others. */
export function deploymentKey({ chainId, vault }: Place): string {
  return `${chainId}:${vault}`
}
