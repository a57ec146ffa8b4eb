import { accountantAccrual, exchangeRate, vaultPause, vaultState } from 'ponder:schema'
import { changeVault } from '../lib/changeVault.ts'
import { origin } from '../lib/origin.ts'
import { ponder } from '../lib/ponder.ts'
import { isAccountantInUse, vaultOf } from '../lib/vaultOf.ts'

for (const accountant of ['AccountantA', 'AccountantB'] as const) {
  ponder.on(`${accountant}:ExchangeRateUpdated`, async ({ event, context }) => {
    const { oldRate, newRate } = event.args
    const vault = vaultOf({ event, context })
    const isInUse = isAccountantInUse({ event, context })
    const { address: accountant } = event.log
    const chainId = context.chain.id
    const accrual = await context.db.find(accountantAccrual, { chainId, accountant })
    const state = await context.db.find(vaultState, { chainId, vault })
    await context.db.insert(exchangeRate).values({
      ...origin({ event, context }),
      vault,
      accountant,
      oldRate,
      newRate,
      feesAccrued: accrual?.transactionHash === event.transaction.hash ? accrual.amount : null,
      supply: state?.supply ?? 0n,
      isInUse,
    })
    if (!isInUse) return
    const { number } = event.block
    await changeVault({ event, context }, vault, ({ openingRate, firstBlock }) => ({
      rate: newRate,
      rateBlock: number,
      // The rate at the start of a vault is the one at the end of its first block.
      openingRate: openingRate ?? (firstBlock === number ? newRate : oldRate),
    }))
  })

  for (const change of ['Paused', 'Unpaused'] as const)
    ponder.on(`${accountant}:${change}`, async ({ event, context }) => {
      await context.db.insert(vaultPause).values({
        ...origin({ event, context }),
        vault: vaultOf({ event, context }),
        contract: event.log.address,
        isPaused: change === 'Paused',
      })
    })
}

// The first event of an update.
ponder.on('AccountantB:ManagementFeesAccrued', async ({ event, context }) => {
  const accrued = { transactionHash: event.transaction.hash, amount: event.args.managementFees }
  await context.db
    .insert(accountantAccrual)
    .values({ chainId: context.chain.id, accountant: event.log.address, ...accrued })
    .onConflictDoUpdate(accrued)
})

ponder.on('AccountantB:PerformanceFeesAccrued', async ({ event, context }) => {
  const { performanceFees } = event.args
  const accrued = { transactionHash: event.transaction.hash, amount: performanceFees }
  await context.db
    .insert(accountantAccrual)
    .values({ chainId: context.chain.id, accountant: event.log.address, ...accrued })
    .onConflictDoUpdate(({ transactionHash, amount }) =>
      transactionHash === accrued.transactionHash ? { amount: amount + performanceFees } : accrued,
    )
})
