import { type lastShareTransfer, vaultEntry } from 'ponder:schema'
import type { Address } from 'viem'
import { rateNow } from './changeHolding.ts'
import type { EventOrigin } from './origin.ts'
import type { Context } from './ponder.ts'
import { recordActivity } from './recordActivity.ts'
import { worth } from './shareCost.ts'
import { giveCost, hideTransfer, transferBefore } from './shareTransfers.ts'
import { vaultOf } from './vaultOf.ts'

type Emitted = { event: EventOrigin['event'] & { log: { address: Address } }; context: Context }
type Transfer = typeof lastShareTransfer.$inferSelect
type Deposit = { depositor: Address; to: Address; depositAsset: Address; depositAmount: bigint }

/**
 * Records a deposit as an activity of the account that got the shares. Its cost is the whole amount that
 * was paid: the minted shares are for the amount without the depositor's fee.
 */
export async function recordDeposit(emitted: Emitted, deposit: Deposit) {
  const { event, context } = emitted
  const { depositor: payer, to, depositAsset: asset, depositAmount: assetAmount } = deposit
  const vault = vaultOf(emitted)
  const passedOn = await transferBefore(emitted, vault, {
    sender: event.log.address,
    recipient: to,
  })
  if (passedOn) {
    await hideTransfer(context, passedOn)
    await giveCost(context, passedOn, await costOf(emitted, passedOn, assetAmount))
  }
  const shares = passedOn?.amount ?? 0n
  await recordActivity(emitted, {
    vault,
    type: 'DEPOSIT',
    userAddress: to,
    other: payer,
    asset,
    assetAmount,
    shares,
  })
}

/** The cost of the shares that were passed on: the payment for them, in the unit of costs. */
async function costOf({ event, context }: Emitted, passedOn: Transfer, paid: bigint) {
  const { chainId, vault, sender: depositor, amount: shares } = passedOn
  const rate = await rateNow(context, vault)
  const entry = await context.db.find(vaultEntry, { chainId, vault })
  const isOfDeposit =
    entry?.transactionHash === event.transaction.hash && entry.recipient === depositor
  if (!isOfDeposit || entry.assets === 0n) return worth(shares, rate)
  return (worth(entry.shares, rate) * paid) / entry.assets
}
