import { parseEther } from 'viem'
import { DEVNET_ACTORS } from '../accounts.ts'
import { orderParams } from './orderParams.ts'
import type { Script } from './script.ts'
import {
  type VaultVersion,
  type VersionSite,
  writeRetirement,
  writeVersion,
} from './writeVersion.ts'

const { vaultDeployer: owner } = DEVNET_ACTORS

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
  const deposit = [asset, parseEther('10'), 0n, owner.address, '0x']
  script.call('DistributorCodeDepositorA', depositor, 'deposit', deposit)
  script.call('BoringVault', vault, 'approve', [queue, parseEther('3')])
  for (const shares of [parseEther('2'), parseEther('1')])
    script.call('WithdrawQueueA', queue, 'submitOrder', [
      orderParams({ user: owner, wantAsset: asset, shares }),
    ])
  script.call('WithdrawQueueA', queue, 'cancelOrder', [2n])
  script.call('WithdrawQueueA', queue, 'processOrders', [2n])
  writeRetirement(script, site, version)
  // The replacement's logs are in later blocks: the ranges of the two do not touch.
  script.cut()
  return version
}
