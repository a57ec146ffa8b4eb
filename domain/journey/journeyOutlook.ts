import { findDeployment } from '../earn/vaults/deployments.ts'
import { ceilDiv, sharesFor } from '../earn/vaults/shareMath.ts'
import { unlessUnavailable } from '../error/unlessUnavailable.ts'
import { within } from '../loop/within.ts'
import { orderOutlook } from '../transit/orders/orderOutlook.ts'
import type { Journey } from './journey.ts'
import type { JourneyContext } from './journeyContext.ts'

/** A read waits so long for a vault's state; the answer is there for a later one. */
const WAIT_MS = 500

/**
 * The time up to which nine of ten journeys like this one end in the vault: the route's latency and the keeper's. Null once
 * it has ended, or where one of the two is unknown.
 */
export async function journeyExpectedBy(
  context: JourneyContext,
  journey: Journey,
): Promise<Date | null> {
  const { status, order, end } = journey
  if (status !== 'SENT' && status !== 'BRIDGED' && status !== 'ARRIVED') return null
  const [lastPayment] = order.executions.toSorted((a, b) => b.timestamp - a.timestamp)
  const [{ expectedBy }, keeperMs] = await Promise.all([
    orderOutlook(context, order),
    context.keeperLatencies.p90(end.chainId),
  ])
  const arrival =
    status === 'ARRIVED' && lastPayment ? lastPayment.timestamp * 1_000 : expectedBy?.getTime()
  if (arrival === undefined || keeperMs === null) return null
  return new Date(arrival + keeperMs)
}

/**
 * The shares that the journey gives, in base units: those minted, or before that those for the whole amount due at the
 * present rate and fee. Null where they are unknown, as after another end, for an asset that is not the vault's base, or where
 * the fee takes all.
 */
export async function journeyExpectedShares(
  {
    addressBook,
    deploymentStateCache,
  }: Pick<JourneyContext, 'addressBook' | 'deploymentStateCache'>,
  { status, order, end, smartDeposits }: Journey,
): Promise<bigint | null> {
  if (status === 'DEPOSITED' || status === 'FINALIZED')
    return smartDeposits.reduce((sum, { mintedAmount }) => sum + (mintedAmount ?? 0n), 0n)
  if (status !== 'SENT' && status !== 'BRIDGED' && status !== 'ARRIVED') return null
  const { chainId, vaultAddress, depositAsset } = end
  if (findDeployment(addressBook, chainId, vaultAddress)?.baseToken !== depositAsset) return null
  const read = deploymentStateCache.get(chainId).catch(unlessUnavailable)
  const state = (await within(WAIT_MS, read))?.get(vaultAddress)
  const asset = state?.assets.find(({ address }) => address === depositAsset)
  if (!state || !asset) return null
  const fee = ceilDiv(order.amountDue * asset.depositFeeBps, 10_000n) + asset.depositFlatFee
  // The vault refuses it as it is now.
  if (fee >= order.amountDue) return null
  return sharesFor(order.amountDue - fee, { rate: state.exchangeRate, decimals: state.decimals })
}
