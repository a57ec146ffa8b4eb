import { type Context, ponder } from 'ponder:registry'
import { shareBalance, shareTransfer, vaultExit } from 'ponder:schema'
import { type Address, zeroAddress } from 'viem'
import { changeVault } from '../lib/changeVault.ts'
import { origin } from '../lib/origin.ts'
import { vaultOf } from '../lib/vaultOf.ts'

ponder.on('Vault:Transfer', async ({ event, context }) => {
  const { from, to, amount } = event.args
  const vault = vaultOf({ event, context })
  await context.db
    .insert(shareTransfer)
    .values({ ...origin({ event, context }), vault, sender: from, recipient: to, amount })
  if (amount === 0n || from === to) return
  const [isMint, isBurn] = [from === zeroAddress, to === zeroAddress]
  const isLast =
    !isMint && (await addShares(context, { vault, account: from, amount: -amount })).isZero
  const isFirst = !isBurn && (await addShares(context, { vault, account: to, amount })).wasZero
  const holders = Number(isFirst) - Number(isLast)
  if (!isMint && !isBurn && holders === 0) return
  await changeVault({ event, context }, vault, (state) => ({
    holders: state.holders + holders,
    ...(isMint ? { supply: state.supply + amount, supplyBlock: event.block.number } : {}),
    ...(isBurn ? { supply: state.supply - amount, supplyBlock: event.block.number } : {}),
  }))
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

ponder.on('Vault:Exit', async ({ event, context }) => {
  const { to, asset, amount, from, shares } = event.args
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
    .values({ chainId, vault: vaultOf({ event, context }), ...exit })
    .onConflictDoUpdate(exit)
})
