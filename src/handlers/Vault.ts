import { type Context, ponder } from 'ponder:registry'
import { shareBalance, shareTransfer, vaultExit } from 'ponder:schema'
import { type Address, zeroAddress } from 'viem'
import { beginVault, changeVault } from '../lib/changeVault.ts'
import { origin } from '../lib/origin.ts'
import { vaultOf } from '../lib/vaultOf.ts'

// The constructor emits it: the life of a vault begins with its creation, not with its first share.
ponder.on('Vault:OwnershipTransferred', async ({ event, context }) => {
  await beginVault({ event, context }, vaultOf({ event, context }))
})

ponder.on('Vault:Transfer', async ({ event, context }) => {
  const { from, to, amount } = event.args
  const vault = vaultOf({ event, context })
  await context.db
    .insert(shareTransfer)
    .values({ ...origin({ event, context }), vault, sender: from, recipient: to, amount })
  if (amount === 0n || from === to) return
  const isLast =
    from !== zeroAddress &&
    (await addShares(context, { vault, account: from, amount: -amount })).isZero
  // Shares sent to the zero address stay there; burnt ones leave it again with their Exit.
  const { wasZero } = await addShares(context, { vault, account: to, amount })
  const isFirst = to !== zeroAddress && wasZero
  const holders = Number(isFirst) - Number(isLast)
  if (holders === 0) return
  await changeVault({ event, context }, vault, (state) => ({ holders: state.holders + holders }))
})

ponder.on('Vault:Enter', async ({ event, context }) => {
  const { to, shares } = event.args
  const vault = vaultOf({ event, context })
  await changeSupply({ event, context }, { vault, shares })
  // The transfer of a mint to the zero address goes from it to itself, which moves nothing.
  if (to === zeroAddress) await addShares(context, { vault, account: zeroAddress, amount: shares })
})

type Addition = { vault: Address; account: Address; amount: bigint }

/** Adds to a balance, or subtracts. Returns whether it was 0 before, and whether it is 0 now. */
async function addShares(context: Context, { vault, account, amount }: Addition) {
  let before = 0n
  await context.db
    .insert(shareBalance)
    .values({ chainId: context.chain.id, vault, account, balance: amount })
    .onConflictDoUpdate(({ balance }) => {
      before = balance
      return { balance: balance + amount }
    })
  return { wasZero: before === 0n, isZero: before + amount === 0n }
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
  await addShares(context, { vault, account: zeroAddress, amount: -shares })
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
