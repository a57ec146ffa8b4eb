import { ponder } from 'ponder:registry'
import { exchangeRate, vaultPause } from 'ponder:schema'
import { changeVault } from '../lib/changeVault.ts'
import { origin } from '../lib/origin.ts'
import { isAccountantInUse, vaultOf } from '../lib/vaultOf.ts'

for (const accountant of ['AccountantA', 'AccountantB'] as const) {
  ponder.on(`${accountant}:ExchangeRateUpdated`, async ({ event, context }) => {
    const { oldRate, newRate } = event.args
    const vault = vaultOf({ event, context })
    const isInUse = isAccountantInUse({ event, context })
    await context.db.insert(exchangeRate).values({
      ...origin({ event, context }),
      vault,
      accountant: event.log.address,
      oldRate,
      newRate,
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
