import { parseEther } from 'viem'
import { DEVNET_ACTORS } from '../accounts.ts'
import type { Script } from './script.ts'
import {
  type VaultVersion,
  type VersionSite,
  writeRetirement,
  writeVersion,
} from './writeVersion.ts'

const owner = DEVNET_ACTORS.vaultDeployer.address

const SIGNED_BY_NOBODY = {
  approvalMethod: 0,
  approvalV: 0,
  approvalR: `0x${'00'.repeat(32)}`,
  approvalS: `0x${'00'.repeat(32)}`,
  submitWithSignature: false,
  deadline: 0n,
  eip2612Signature: '0x',
}

/**
 * The past of a vault that takes the native coin: a deposit, a paid and a cancelled withdrawal under
 * generation A, which is then replaced.
 */
export function writeFormerLife(script: Script, site: VersionSite): VaultVersion {
  const { nativeWrapper: asset, vault } = site
  const version = writeVersion(script, site, 'A')
  const { depositor, queue } = version
  script.call('WrappedNative', asset, 'deposit', [], parseEther('10'))
  script.call('WrappedNative', asset, 'approve', [depositor, parseEther('10')])
  const deposit = [asset, parseEther('10'), 0n, owner, '0x']
  script.call('DistributorCodeDepositorA', depositor, 'deposit', deposit)
  script.call('BoringVault', vault, 'approve', [queue, parseEther('3')])
  for (const amountOffer of [parseEther('2'), parseEther('1')])
    script.call('WithdrawQueueA', queue, 'submitOrder', [
      {
        amountOffer,
        wantAsset: asset,
        intendedDepositor: owner,
        receiver: owner,
        refundReceiver: owner,
        signatureParams: SIGNED_BY_NOBODY,
      },
    ])
  script.call('WithdrawQueueA', queue, 'cancelOrder', [2n])
  script.call('WithdrawQueueA', queue, 'processOrders', [2n])
  writeRetirement(script, site, version)
  // The replacement's logs are in later blocks: the ranges of the two do not touch.
  script.cut()
  return version
}
