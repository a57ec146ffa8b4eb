import { feeModuleChange, supplyCap, vaultDeposit } from 'ponder:schema'
import { origin } from '../lib/origin.ts'
import { ponder } from '../lib/ponder.ts'
import { recordDeposit } from '../lib/recordDeposit.ts'
import { vaultOf } from '../lib/vaultOf.ts'

for (const depositor of ['DepositorA', 'DepositorB', 'DepositorC', 'DepositorD'] as const)
  ponder.on(`${depositor}:DepositWithDistributorCode`, async ({ event, context }) => {
    const { args, log } = event
    await context.db.insert(vaultDeposit).values({
      ...origin({ event, context }),
      vault: vaultOf({ event, context }),
      depositor: log.address,
      userAddress: args.depositor,
      recipient: args.to,
      asset: args.depositAsset,
      amount: args.depositAmount,
      feeAmount: 'feeAmount' in args ? args.feeAmount : null,
      depositHash: args.depositHash,
      distributorCodeHash: args.distributorCode,
    })
    await recordDeposit({ event, context }, args)
  })

// The name of the event in generation A until 2025-12-04.
ponder.on('DepositorA:DepositWithCommunityCode', async ({ event, context }) => {
  const { args, log } = event
  await context.db.insert(vaultDeposit).values({
    ...origin({ event, context }),
    vault: vaultOf({ event, context }),
    depositor: log.address,
    userAddress: args.depositor,
    recipient: args.to,
    asset: args.depositAsset,
    amount: args.depositAmount,
    feeAmount: null,
    depositHash: args.depositHash,
    distributorCodeHash: args.communityCode,
  })
  await recordDeposit({ event, context }, args)
})

// The last build of generation B emits it too.
for (const depositor of ['DepositorB', 'DepositorC', 'DepositorD'] as const)
  ponder.on(`${depositor}:SupplyCapInBaseUpdated`, async ({ event, context }) => {
    await context.db.insert(supplyCap).values({
      ...origin({ event, context }),
      vault: vaultOf({ event, context }),
      depositor: event.log.address,
      cap: event.args.newSupplyCapInBase,
    })
  })

ponder.on('DepositorB:SupplyCapUpdated', async ({ event, context }) => {
  await context.db.insert(supplyCap).values({
    ...origin({ event, context }),
    vault: vaultOf({ event, context }),
    depositor: event.log.address,
    cap: event.args.newSupplyCap,
  })
})

for (const depositor of ['DepositorB', 'DepositorC', 'DepositorD'] as const)
  ponder.on(`${depositor}:FeeModuleUpdated`, async ({ event, context }) => {
    await context.db.insert(feeModuleChange).values({
      ...origin({ event, context }),
      vault: vaultOf({ event, context }),
      contract: event.log.address,
      module: event.args.newFeeModule,
    })
  })
