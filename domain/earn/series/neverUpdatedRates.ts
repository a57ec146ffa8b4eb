import type { Address } from 'viem'
import { ServiceError } from '../../error/serviceError.ts'
import type { EarnContext } from '../earnContext.ts'
import { type EarnDeployment, earnDeployments } from '../vaults/deployments.ts'
import { type LiveDeployment, readAccountantRates } from '../vaults/liveDeployments.ts'

type Place = { chainId: number; vault: Address }

/**
 * The rates of vaults whose accountants never updated them, by `placeKey`, in base units per whole share.
 * The index has no event of these, and the rate on the chain now is the rate from the start. A rate that
 * cannot be read is left out, and its chain named as degraded.
 */
export async function neverUpdatedRates(
  context: EarnContext,
  places: Place[],
): Promise<Map<string, bigint>> {
  const wanted = new Set(places.map(placeKey))
  const deployments = earnDeployments(context.addressBook).filter((entry) =>
    wanted.has(placeKey(entry)),
  )
  const live = await readAny(readAccountantRates, context, deployments)
  return new Map(live.map((entry) => [placeKey(entry), entry.state.exchangeRate]))
}

/** The key of a deployment among all others. */
export function placeKey({ chainId, vault }: Place): string {
  return `${chainId}:${vault}`
}

/** Reads deployments for answers that have other rows too: none where no chain can be read. */
export async function readAny<State>(
  read: (context: EarnContext, deployments: EarnDeployment[]) => Promise<LiveDeployment<State>[]>,
  context: EarnContext,
  deployments: EarnDeployment[],
): Promise<LiveDeployment<State>[]> {
  try {
    return await read(context, deployments)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    for (const { chainId } of deployments) context.degraded.add(chainId)
    return []
  }
}
