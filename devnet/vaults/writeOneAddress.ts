import { getContractAddress } from 'viem'
import { DEVNET_ACTORS } from '../accounts.ts'
import { DEPLOYMENT } from '../deployment.ts'
import { PLANNED_CHAINS } from '../plan.ts'
import { PLANNED_VAULTS } from './plan.ts'
import { createScript, type Script } from './script.ts'
import { type RoutedVault, routesOf } from './writeSmartDeposits.ts'

const { factoryOwner, keeper, recoveryWallet } = DEVNET_ACTORS
const owner = factoryOwner.address
const factory = getContractAddress({ from: owner, nonce: 0n })

/** The factory of generation B: its owner's first transaction on every chain. */
export const ONE_ADDRESS = {
  generation: 'B',
  factory,
  // The factory's first creation, in its constructor.
  implementation: getContractAddress({ from: factory, nonce: 1n }),
  startBlock: 0,
} as const

/** The least that the contract allows, so that tests and examples need not wait. */
const WITHDRAWAL_DELAY_SECONDS = 3_600n
const MAX_TRANSIT_FEE_BPS = 100n

/** Creates the factory, with its keeper, a route for every live vault of the chain, and the chains with vaults. */
export function writeOneAddress(deployments: RoutedVault[]): Script {
  const script = createScript(owner)
  const promises = {
    recoveryWallet: recoveryWallet.address,
    station: DEPLOYMENT.station,
    withdrawalDelay: WITHDRAWAL_DELAY_SECONDS,
    maxTransitFeeBps: MAX_TRANSIT_FEE_BPS,
  }
  script.create('SmartDepositFactoryB', [owner, owner, promises])
  const set = (name: string, args: unknown[]) =>
    script.call('SmartDepositFactoryB', factory, name, args)
  set('setKeeper', [keeper.address, true])
  for (const route of routesOf(deployments)) set('setRoute', route)
  for (const chain of PLANNED_CHAINS)
    if ('eid' in chain && PLANNED_VAULTS.some(({ chainIds }) => chainIds.includes(chain.id)))
      set('setEndpoint', [BigInt(chain.id), chain.eid])
  return script
}
