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

/** A vault as the routes to it need it. */
export type RoutedVault = { plan: PlannedVault; vault: Address; current: VaultVersion }

/** The arguments of `setRoute` for every live vault. */
export function routesOf(deployments: RoutedVault[]): [Address, Address, number][] {
  return deployments.flatMap(({ plan, vault, current }) => {
    if (plan.inDeprecation) return []
    const form = current.generation === 'A' ? DEPOSIT_FORMS.PLAIN : DEPOSIT_FORMS.ATTESTED
    return [[vault, current.depositor, form]]
  })
}

/** Adds the factory with its keeper and a route for every live vault, and the sanctions oracle. */
export function writeSmartDeposits(
  script: Script,
  chainId: number,
  deployments: RoutedVault[],
): SmartDepositWorld {
  const factory = script.create('SmartDepositFactory', [owner, owner, recoveryWallet.address])
  const set = (name: string, args: unknown[]) =>
    script.call('SmartDepositFactory', factory, name, args)
  set('setKeeper', [keeper.address, true])
  for (const route of routesOf(deployments)) set('setRoute', route)
  const isScreened = SCREENED_CHAIN_IDS.includes(chainId)
  return {
    factory,
    // The factory's first creation, in its constructor.
    implementation: getContractAddress({ from: factory, nonce: 1n }),
    ...(isScreened ? { sanctionsOracle: script.create('SanctionsOracle', [owner]) } : {}),
  }
}
