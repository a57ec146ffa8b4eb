import type { Context } from 'ponder:registry'
import { vaultExit, withdrawal, withdrawalHour } from 'ponder:schema'
import type { Address } from 'viem'
import { hourOf } from './hour.ts'
import { type EventOrigin, origin } from './origin.ts'

type Emitted = { event: EventOrigin['event']; context: Context }

/** The vault's last Exit, if it was in the same transaction. */
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

/** Writes down a withdrawal that was paid, and adds it to those of its hour. */
export async function recordWithdrawal({ event, context }: Emitted, paid: Paid) {
  const { vault, asset, shares, assets } = paid
  await context.db.insert(withdrawal).values({ ...origin({ event, context }), ...paid })
  const hour = hourOf(event.block.timestamp)
  await context.db
    .insert(withdrawalHour)
    .values({ chainId: context.chain.id, vault, asset, hour, orderCount: 1, shares, assets })
    .onConflictDoUpdate((sum) => ({
      orderCount: sum.orderCount + 1,
      shares: sum.shares + shares,
      assets: sum.assets + assets,
    }))
}
