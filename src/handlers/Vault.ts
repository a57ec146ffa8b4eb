import { lastShareTransfer, shareTransfer, vaultEntry, vaultExit } from 'ponder:schema'
import { type Address, zeroAddress } from 'viem'
import { changeHolding, rateNow } from '../lib/changeHolding.ts'
import { beginVault, changeVault } from '../lib/changeVault.ts'
import { origin } from '../lib/origin.ts'
import { type Context, ponder } from '../lib/ponder.ts'
import {
  leavingCost,
  NOTHING_HELD,
  priced,
  type VaultRate,
  withoutShares,
  withShares,
} from '../lib/shareCost.ts'
import { moves } from '../lib/shareTransfers.ts'
import { passesShares, vaultOf } from '../lib/vaultOf.ts'

// The constructor emits it: the life of a vault begins with its creation, not with its first share.
ponder.on('Vault:OwnershipTransferred', async ({ event, context }) => {
  await beginVault({ event, context }, vaultOf({ event, context }))
})

ponder.on('Vault:Transfer', async ({ event, context }) => {
  const { from: sender, to: recipient, amount } = event.args
  const vault = vaultOf({ event, context })
  const chainId = context.chain.id
  const rate = await rateNow(context, vault)
  const transfer = {
    ...origin({ event, context }),
    vault,
    sender,
    recipient,
    amount,
    rate: rate?.rate ?? null,
  }
  const [fromOwn, toOwn] = [passesShares(chainId, sender), passesShares(chainId, recipient)]
  const isMove = moves(transfer)
  await context.db.insert(shareTransfer).values({
    ...transfer,
    countsForSender: isMove && !fromOwn,
    countsForRecipient: isMove && !toOwn,
  })
  const { cost, recipientHadTransferred } = isMove
    ? await moveShares({ event, context }, { vault, sender, recipient, amount, rate })
    : { cost: 0n, recipientHadTransferred: false }
  if (!fromOwn && !toOwn) return
  const last = { ...transfer, cost, recipientHadTransferred }
  await context.db.insert(lastShareTransfer).values(last).onConflictDoUpdate(last)
})

type Move = {
  vault: Address
  sender: Address
  recipient: Address
  amount: bigint
  rate: VaultRate
}

/** Moves shares with their cost. Returns the cost that left, and whether the recipient had got some before. */
async function moveShares(
  { event, context }: Parameters<typeof changeVault>[0],
  { vault, sender, recipient, amount, rate }: Move,
) {
  const { before: left, after: rest } =
    sender === zeroAddress
      ? { before: NOTHING_HELD, after: NOTHING_HELD }
      : await changeHolding(context, { vault, account: sender }, (holding) =>
          passesShares(context.chain.id, sender)
            ? { ...holding, balance: holding.balance - amount }
            : withoutShares(holding, amount, rate),
        )
  // Shares sent to the zero address stay there; burnt ones leave it again with their Exit.
  const { before: had } = await changeHolding(context, { vault, account: recipient }, (holding) =>
    passesShares(context.chain.id, recipient)
      ? { ...holding, balance: holding.balance + amount }
      : withShares(holding, amount, rate),
  )
  const isLast = sender !== zeroAddress && rest.balance === 0n
  const isFirst = recipient !== zeroAddress && had.balance === 0n
  const holders = Number(isFirst) - Number(isLast)
  if (holders !== 0)
    await changeVault({ event, context }, vault, (state) => ({ holders: state.holders + holders }))
  return {
    cost: leavingCost(priced(left, rate), amount),
    recipientHadTransferred: had.hasTransferredShares,
  }
}

ponder.on('Vault:Enter', async ({ event, context }) => {
  const { to, amount: assets, shares } = event.args
  const vault = vaultOf({ event, context })
  await changeSupply({ event, context }, { vault, shares })
  // The transfer of a mint to the zero address goes from it to itself, which moves nothing.
  if (to === zeroAddress) await addToNobody(context, vault, shares)
  const entry = { ...origin({ event, context }), vault, recipient: to, assets, shares }
  await context.db.insert(vaultEntry).values(entry).onConflictDoUpdate(entry)
})

/** Adds shares to what the zero address has, or subtracts them. */
async function addToNobody(context: Context, vault: Address, shares: bigint) {
  await changeHolding(context, { vault, account: zeroAddress }, (holding) => ({
    ...holding,
    balance: holding.balance + shares,
  }))
}

/** Only `Enter` mints and only `Exit` burns: a transfer to the zero address leaves the supply alone. */
async function changeSupply(
  { event, context }: Parameters<typeof changeVault>[0],
  { vault, shares }: { vault: Address; shares: bigint },
) {
  if (shares === 0n) return
  await changeVault({ event, context }, vault, (state) => ({
    supply: state.supply + shares,
    supplyBlock: event.block.number,
  }))
}

ponder.on('Vault:Exit', async ({ event, context }) => {
  const { to, asset, amount, from, shares } = event.args
  const vault = vaultOf({ event, context })
  await changeSupply({ event, context }, { vault, shares: -shares })
  await addToNobody(context, vault, -shares)
  const { chainId, ...exit } = {
    ...origin({ event, context }),
    asset,
    recipient: to,
    account: from,
    assets: amount,
    shares,
  }
  await context.db
    .insert(vaultExit)
    .values({ chainId, vault, ...exit })
    .onConflictDoUpdate(exit)
})
