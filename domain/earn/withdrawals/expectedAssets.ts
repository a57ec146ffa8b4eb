import { unlessUnavailable } from '../../error/unlessUnavailable.ts'
import { within } from '../../loop/within.ts'
import type { EarnContext } from '../earnContext.ts'
import { findDeployment } from '../vaults/deployments.ts'
import { HOLDINGS_WAIT_MS, knownHoldings } from './knownHoldings.ts'
import { queuePayout } from './queuePayout.ts'
import type { WithdrawalRequest } from './withdrawalRequest.ts'

/**
 * Base units of the want asset that the queue would pay for a pending request now, at the chain's rate and
 * the queue's fee, as old as `vaultHoldingsCache` lets them be, or the last known ones. Null unless the request is PENDING
 * in the queue in use; also if its chain does not answer, has no rate of the asset, or the fee takes all.
 */
export async function expectedAssets(
  context: Pick<EarnContext, 'addressBook' | 'vaultHoldingsCache'>,
  { chainId, vault, queue, wantAsset, offerAmount, status }: WithdrawalRequest,
): Promise<bigint | null> {
  if (status !== 'PENDING') return null
  if (findDeployment(context.addressBook, chainId, vault)?.queue !== queue) return null
  const state = (await knownHoldings(context, chainId))?.get(vault)
  const holding = state?.holdings.find(({ asset }) => asset === wantAsset)
  if (!state || !holding?.rateInQuote) return null
  const { rateInQuote, withdrawFee: fee } = holding
  return queuePayout(offerAmount, { decimals: state.decimals, rateInQuote, fee })
}

/**
 * A text that changes with the expected assets of these requests, and with what holds them up, if the requests stay the same.
 * Null where a chain does not answer.
 */
export async function expectedAssetsMark(
  context: Pick<EarnContext, 'vaultHoldingsCache'>,
  requests: WithdrawalRequest[],
): Promise<string | null> {
  const waiting = requests.filter(
    ({ status }) => status === 'PENDING' || status === 'PENDING_REFUND',
  )
  const chainIds = [...new Set(waiting.map(({ chainId }) => chainId))]
  const reads = chainIds.map((chainId) => {
    const known = context.vaultHoldingsCache.lastKnown(chainId)
    return within(
      HOLDINGS_WAIT_MS,
      known.then(({ asOf }) => asOf.getTime(), unlessUnavailable),
    )
  })
  const times = await Promise.all(reads)
  return times.includes(null) ? null : times.join()
}
