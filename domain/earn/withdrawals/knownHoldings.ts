import { unlessUnavailable } from '../../error/unlessUnavailable.ts'
import { within } from '../../loop/within.ts'
import type { EarnContext } from '../earnContext.ts'
import type { AtBlock } from '../vaults/deploymentCache.ts'
import type { VaultHoldings } from '../vaults/vaultHoldingsCache.ts'

/** Requests come from the index, and wait no longer for a chain that is late. */
export const HOLDINGS_WAIT_MS = 1_000

type HoldingsByVault = Map<string, AtBlock<VaultHoldings>>

/** The last known holdings of the vaults of a chain; null if the chain does not answer in time. */
export async function knownHoldings(
  { vaultHoldingsCache }: Pick<EarnContext, 'vaultHoldingsCache'>,
  chainId: number,
): Promise<HoldingsByVault | null> {
  const known = vaultHoldingsCache.lastKnown(chainId).then(({ value }) => value, unlessUnavailable)
  return within(HOLDINGS_WAIT_MS, known)
}
