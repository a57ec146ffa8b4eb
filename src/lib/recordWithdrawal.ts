import { vaultExit, withdrawal, withdrawalPeriod } from 'ponder:schema'
import type { Address } from 'viem'
import { type EventOrigin, origin } from './origin.ts'
import { DAY_SECONDS, HOUR_SECONDS, periodEnd } from './periodEnd.ts'
import type { Context } from './ponder.ts'

type Emitted = { event: EventOrigin['event']; context: Context }

/** The vault's last Exit, or null if it was in another transaction. */
export async function exitBefore({ event, context }: Emitted, vault: Address) {
  const exit = await context.db.find(vaultExit, { chainId: context.chain.id, vault })
  return exit?.transactionHash === event.transaction.hash ? exit : null
}

type Paid = {
  vault: Address
  asset: Address
  shares: bigint
  assets: bigint
  isQueued: boolean
}

/** Records a paid withdrawal, and adds it to the sums of its hour and its day. */
export async function recordWithdrawal({ event, context }: Emitted, paid: Paid) {
  const { vault, asset, shares, assets } = paid
  await context.db.insert(withdrawal).values({ ...origin({ event, context }), ...paid })
  const added = { chainId: context.chain.id, vault, asset, orderCount: 1, shares, assets }
  for (const seconds of [HOUR_SECONDS, DAY_SECONDS])
    await context.db
      .insert(withdrawalPeriod)
      .values({ ...added, seconds, until: periodEnd(event.block.timestamp, seconds) })
      .onConflictDoUpdate((sum) => ({
        orderCount: sum.orderCount + 1,
        shares: sum.shares + shares,
        assets: sum.assets + assets,
      }))
}
