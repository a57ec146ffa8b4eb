import { refuseBlocked } from '../../receiver/blockedError.ts'
import { type Receiver, refuseSmartDepositAddresses } from '../../receiver/refuseReceivers.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'
import { refuseOutOfBand } from '../signing/priceBand.ts'
import type { TransitContext } from '../transitContext.ts'

/**
 * Everything that is read for an order over a route, and the checks of it that need no more than the reads. Each part
 * throws the reason for which no order can be quoted now. The caller awaits all of them.
 */
export function routeReads(
  context: TransitContext,
  resolved: ResolvedRoute,
  receivers: readonly Receiver[],
) {
  const { source, destination } = resolved
  return {
    state: context.stations.get(source.chainId),
    pricing: context.executionCosts.pricing(resolved),
    // Within one chain nothing is received.
    receiving:
      destination.chainId === source.chainId
        ? Promise.resolve({ isPaused: false, peers: new Map() })
        : context.stations.receiving(destination.chainId),
    checks: [
      refuseOutOfBand(context.priceFeeds, resolved),
      context.routePauses.refusePaused(resolved),
      refuseSmartDepositAddresses(context, receivers),
      refuseBlockedReceivers(context, receivers),
    ],
  }
}

/** Throws `ACCOUNT_FROZEN` for an account that the issuer of what it would get blocks. */
async function refuseBlockedReceivers(
  { tokenBlocks }: Pick<TransitContext, 'tokenBlocks'>,
  receivers: readonly Receiver[],
): Promise<void> {
  const blocked = await Promise.all(
    receivers.map(async ({ field, account, chainId, token }) => {
      if (!account || !chainId || !token) return []
      const { isBlocked } = await tokenBlocks.get({ chainId, token, account })
      return isBlocked ? [[field, { account, why: 'token' }] as const] : []
    }),
  )
  refuseBlocked(Object.fromEntries(blocked.flat()))
}
