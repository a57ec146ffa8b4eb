import { lastShareTransfer, shareTransfer } from 'ponder:schema'
import type { Address } from 'viem'
import { addRealised, changeHolding, rateNow } from './changeHolding.ts'
import type { EventOrigin } from './origin.ts'
import type { Context } from './ponder.ts'
import { priced, pricedCost, worth } from './shareCost.ts'
import { passesShares } from './vaultOf.ts'

type Emitted = { event: EventOrigin['event']; context: Context }
type Transfer = typeof lastShareTransfer.$inferSelect
type Ends = { sender?: Address; recipient?: Address }

/** The vault's last transfer from or to its own contracts, if it is of this transaction and between these. */
export async function transferBefore(
  { event, context }: Emitted,
  vault: Address,
  { sender, recipient }: Ends,
): Promise<Transfer | null> {
  const last = await context.db.find(lastShareTransfer, { chainId: context.chain.id, vault })
  if (last?.transactionHash !== event.transaction.hash) return null
  if (sender !== undefined && last.sender !== sender) return null
  if (recipient !== undefined && last.recipient !== recipient) return null
  return last
}

/** Takes a transfer out of the activities, as a part of a deposit or withdrawal. */
export async function hideTransfer(context: Context, transfer: Transfer) {
  const { chainId, transactionHash, logIndex } = transfer
  await context.db
    .update(shareTransfer, { chainId, transactionHash, logIndex })
    .set({ countsForSender: false, countsForRecipient: false })
}

/** Takes back what the sender earned by a transfer, and returns the cost that left with the shares. */
export async function takeCost(context: Context, transfer: Transfer) {
  const { vault, sender } = transfer
  const rate = await rateNow(context, vault)
  const isPriced = rate !== null
  if (!moves(transfer)) return { cost: 0n, isPriced }
  const cost = pricedCost(transfer.cost, transfer.rate !== null, rate)
  const realised = cost - worth(transfer.amount, rate)
  await addRealised(context, { vault, account: sender }, { realised, rate })
  return { cost, isPriced }
}

/** Gives the shares of a transfer another cost than what they are worth. */
export async function giveCost(context: Context, transfer: Transfer, cost: bigint) {
  const { vault, recipient: account } = transfer
  if (!moves(transfer) || passesShares(context.chain.id, account)) return
  const rate = await rateNow(context, vault)
  await changeHolding(context, { vault, account }, (before) => {
    const holding = priced(before, rate)
    return {
      ...holding,
      cost: holding.cost + cost - worth(transfer.amount, rate),
      hasTransferredShares: transfer.recipientHadTransferred,
    }
  })
}

/** Whether a transfer changes a balance. */
export function moves({
  amount,
  sender,
  recipient,
}: Pick<Transfer, 'amount' | 'sender' | 'recipient'>) {
  return amount !== 0n && sender !== recipient
}
