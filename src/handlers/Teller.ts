import { bulkWithdrawal, tellerDeposit, vaultPause } from 'ponder:schema'
import { zeroAddress } from 'viem'
import { origin } from '../lib/origin.ts'
import { ponder } from '../lib/ponder.ts'
import { recordActivity } from '../lib/recordActivity.ts'
import { exitBefore, recordWithdrawal } from '../lib/recordWithdrawal.ts'
import { hideTransfer, transferBefore } from '../lib/shareTransfers.ts'
import { isQueue, vaultOf } from '../lib/vaultOf.ts'

for (const teller of ['TellerA', 'TellerB'] as const) {
  ponder.on(`${teller}:Deposit`, async ({ event, context }) => {
    const { nonce, receiver, depositAsset, depositAmount, shareAmount } = event.args
    await context.db.insert(tellerDeposit).values({
      ...origin({ event, context }),
      vault: vaultOf({ event, context }),
      teller: event.log.address,
      nonce,
      recipient: receiver,
      asset: depositAsset,
      amount: depositAmount,
      shares: shareAmount,
    })
  })

  ponder.on(`${teller}:BulkWithdraw`, async ({ event, context }) => {
    const { asset, shareAmount: shares } = event.args
    const vault = vaultOf({ event, context })
    const exit = await exitBefore({ event, context }, vault)
    const { account = null, recipient = null, assets = null } = exit ?? {}
    await context.db.insert(bulkWithdrawal).values({
      ...origin({ event, context }),
      vault,
      teller: event.log.address,
      asset,
      shares,
      account,
      recipient,
      assets,
    })
    // A queue's withdrawal is recorded with its own OrderProcessed.
    if (!exit || isQueue(context.chain.id, exit.account)) return
    const paid = { vault, asset, shares, assets: exit.assets }
    await recordWithdrawal({ event, context }, { ...paid, isQueued: false })
    const burn = await transferBefore({ event, context }, vault, {
      sender: exit.account,
      recipient: zeroAddress,
    })
    if (burn) await hideTransfer(context, burn)
    await recordActivity(
      { event, context },
      {
        vault,
        type: 'WITHDRAWAL_ATOMIC',
        userAddress: exit.account,
        other: exit.recipient,
        asset,
        assetAmount: exit.assets,
        shares,
      },
    )
  })

  for (const change of ['Paused', 'Unpaused'] as const)
    ponder.on(`${teller}:${change}`, async ({ event, context }) => {
      await context.db.insert(vaultPause).values({
        ...origin({ event, context }),
        vault: vaultOf({ event, context }),
        contract: event.log.address,
        isPaused: change === 'Paused',
      })
    })
}
