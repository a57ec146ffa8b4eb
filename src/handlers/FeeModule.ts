import { feeData } from 'ponder:schema'
import { origin } from '../lib/origin.ts'
import { ponder } from '../lib/ponder.ts'

ponder.on('FeeModule:FeeDataUpdated', async ({ event, context }) => {
  const { token, feePercentage, flatFee } = event.args
  await context.db.insert(feeData).values({
    ...origin({ event, context }),
    module: event.log.address,
    token,
    feePercentage,
    flatFee,
  })
})
