import { unlessUnavailable } from '../../error/unlessUnavailable.ts'
import { within } from '../../loop/within.ts'
import type { AtBlock, DeploymentCache } from '../vaults/deploymentCache.ts'
import type { VaultHoldings } from '../vaults/vaultHoldingsCache.ts'

/** Requests come from the index, and wait no longer for a chain that is late. */
export const HOLDINGS_WAIT_MS = 1_000

export type HoldingsServices = { vaultHoldingsCache: DeploymentCache<VaultHoldings> }

type HoldingsByVault = Map<string, AtBlock<VaultHoldings>>

/** The last known holdings of the vaults of a chain; null if the chain does not answer in time. */
export async function knownHoldings(
  { vaultHoldingsCache }: HoldingsServices,
  chainId: number,
): Promise<HoldingsByVault | null> {
  const known = vaultHoldingsCache.lastKnown(chainId).then(({ value }) => value, unlessUnavailable)
  return within(HOLDINGS_WAIT_MS, known)
}
