import { type Address, getContractAddress } from 'viem'
import { DEPOSIT_FORMS } from '../../domain/smartDeposit/depositForm.ts'
import { DEVNET_ACTORS } from '../accounts.ts'
import { SCREENED_CHAIN_IDS } from '../plan.ts'
import type { PlannedVault } from './plan.ts'
import type { Script } from './script.ts'
import type { VaultVersion } from './writeVersion.ts'

/** The contracts of one chain's smart deposits. */
export type SmartDepositWorld = {
  factory: Address
  implementation: Address
  /** Absent on chains without screening. */
  sanctionsOracle?: Address
}

const { vaultDeployer, keeper, recoveryWallet } = DEVNET_ACTORS
const owner = vaultDeployer.address

/** Adds the factory with its keeper and a route for every live vault, and the sanctions oracle. */
export function writeSmartDeposits(
  script: Script,
  chainId: number,
  deployments: { plan: PlannedVault; vault: Address; current: VaultVersion }[],
): SmartDepositWorld {
  const factory = script.create('SmartDepositFactory', [owner, owner, recoveryWallet.address])
  const set = (name: string, args: unknown[]) =>
    script.call('SmartDepositFactory', factory, name, args)
  set('setKeeper', [keeper.address, true])
  for (const { plan, vault, current } of deployments) {
    if (plan.inDeprecation) continue
    const form = current.generation === 'A' ? DEPOSIT_FORMS.PLAIN : DEPOSIT_FORMS.ATTESTED
    set('setRoute', [vault, current.depositor, form])
  }
  const isScreened = SCREENED_CHAIN_IDS.includes(chainId)
  return {
    factory,
    // The factory's first creation, in its constructor.
    implementation: getContractAddress({ from: factory, nonce: 1n }),
    ...(isScreened ? { sanctionsOracle: script.create('SanctionsOracle', [owner]) } : {}),
  }
}
