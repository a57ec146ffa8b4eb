import { vaultActivity } from 'ponder:schema'
import type { Address } from 'viem'
import { rateNow } from './changeHolding.ts'
import { type EventOrigin, origin } from './origin.ts'
import type { Context } from './ponder.ts'

/** The activities that have rows of their own. Transfers are rows of `share_transfer`. */
type RecordedActivity =
  | 'DEPOSIT'
  | 'WITHDRAWAL_REQUESTED'
  | 'WITHDRAWAL_COMPLETED'
  | 'WITHDRAWAL_ATOMIC'
  | 'WITHDRAWAL_REFUND_REQUESTED'
  | 'WITHDRAWAL_REFUNDED'

type Activity = {
  vault: Address
  type: RecordedActivity
  userAddress: Address
  /** Recorded unless it is the user. */
  other?: Address | undefined
  asset?: Address
  assetAmount?: bigint | null
  shares: bigint
  orderIndex?: bigint
}

/** Records what a user did, at the rate of this log. */
export async function recordActivity(
  { event, context }: { event: EventOrigin['event']; context: Context },
  { other, asset, assetAmount = null, orderIndex, ...activity }: Activity,
) {
  const rate = await rateNow(context, activity.vault)
  await context.db.insert(vaultActivity).values({
    ...origin({ event, context }),
    ...activity,
    counterparty: other === undefined || other === activity.userAddress ? null : other,
    asset: asset ?? null,
    assetAmount,
    rate: rate?.rate ?? null,
    orderIndex: orderIndex ?? null,
  })
}
