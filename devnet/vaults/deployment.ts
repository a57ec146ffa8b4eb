import { type Address, toFunctionSelector, zeroAddress } from 'viem'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { DEVNET_ACTORS } from '../accounts.ts'
import { DEPLOYMENT } from '../deployment.ts'
import { PLANNED_CHAINS, type TokenSymbol } from '../plan.ts'
import { PLANNED_VAULTS, type PlannedVault } from './plan.ts'
import { VAULT_ROLES } from './roles.ts'
import { createScript, type Script } from './script.ts'
import { writeFormerLife } from './writeFormerLife.ts'
import { ONE_ADDRESS, writeOneAddress } from './writeOneAddress.ts'
import { type SmartDepositWorld, writeSmartDeposits } from './writeSmartDeposits.ts'
import { type VaultVersion, type VersionSite, writeVersion } from './writeVersion.ts'

/** The contracts of one vault on one chain. */
export type VaultDeployment = {
  plan: PlannedVault
  chainId: number
  authority: Address
  vault: Address
  /** The accountant's base: a token, or a contract that stands for one. */
  base: Address
  hook?: Address
  /** Oldest first: the last one is in use. */
  versions: VaultVersion[]
  current: VaultVersion
}

/** The contracts around the vaults of one chain, and the transactions that create them. */
export type VaultChain = {
  chainId: number
  registry: Address
  /** Present if one of the vaults takes the native coin. */
  nativeWrapper?: Address
  deployments: VaultDeployment[]
  smartDeposit: SmartDepositWorld
  script: Script
}

const { vaultDeployer, attester, executor, rateUpdater } = DEVNET_ACTORS
const owner = vaultDeployer.address

/** The vaults of every chain that has any. All addresses are known before anything is deployed. */
export const VAULT_CHAINS: VaultChain[] = PLANNED_CHAINS.flatMap(({ id }) => {
  const plans = PLANNED_VAULTS.filter(({ chainIds }) => chainIds.includes(id))
  return plans.length > 0 ? [writeChain(id, plans)] : []
})

/** The vault of this name on this chain. Throws if the plan has none. */
export function vaultDeployment(name: string, chainId: number): VaultDeployment {
  const deployments = VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.deployments ?? []
  const found = deployments.find(({ plan }) => plan.name === name)
  if (!found) throw new Error(`The plan has no vault ${name} on chain ${chainId}`)
  return found
}

type ChainFile = AddressBookFile['chains'][number]

/** The scripts of a chain, to be run one after the other. */
export function scriptsOf(chainId: number): Script[] {
  const chain = VAULT_CHAINS.find((one) => one.chainId === chainId)
  return [...(chain ? [chain.script] : []), writeOneAddress(chain?.deployments ?? [])]
}

/** The address book's fields for the smart deposits of a chain. */
export function smartDepositsOf(chainId: number): Pick<ChainFile, 'sanctionsOracle'> & {
  smartDeposit: NonNullable<ChainFile['smartDeposit']>
} {
  const found = VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.smartDeposit
  // No depth: a local node makes a block for each transaction, so the next block may be far off.
  const pendingDepth = 0
  if (!found) return { smartDeposit: { ...ONE_ADDRESS, pendingDepth } }
  const { factory, implementation, sanctionsOracle } = found
  const former = { generation: 'A', factory, implementation, startBlock: 0 } as const
  return {
    smartDeposit: { ...ONE_ADDRESS, otherFactories: [former], pendingDepth },
    ...(sanctionsOracle ? { sanctionsOracle } : {}),
  }
}

function writeChain(chainId: number, plans: PlannedVault[]): VaultChain {
  const script = createScript(owner)
  const registry = script.create('AttestationRegistry', [owner, attester.address])
  const takesNative = plans.some(({ assets }) => assets.some(({ token }) => token === 'WETH'))
  const wrapper = takesNative ? { nativeWrapper: writeWrapper(script) } : {}
  const deployments = plans.map((plan) =>
    writeVault(script, { plan, chainId, registry, ...wrapper }),
  )
  // Created last, so that the addresses of all other contracts do not depend on it.
  const smartDeposit = writeSmartDeposits(script, chainId, deployments)
  return { chainId, registry, ...wrapper, deployments, smartDeposit, script }
}

function writeWrapper(script: Script): Address {
  return script.create('WrappedNative', ['Wrapped Ether', 'WETH'])
}

type Surroundings = Pick<VaultChain, 'chainId' | 'registry' | 'nativeWrapper'> & {
  plan: PlannedVault
}

function writeVault(
  script: Script,
  { plan, chainId, registry, nativeWrapper = zeroAddress }: Surroundings,
): VaultDeployment {
  const tokenOf = (symbol: string) =>
    symbol === 'WETH' ? nativeWrapper : DEPLOYMENT.tokens[symbol as TokenSymbol]
  const authority = script.create('RolesAuthority', [owner])
  const vault = script.create('BoringVault', [
    owner,
    authority,
    plan.name,
    plan.symbol,
    plan.decimals,
  ])
  writeManager(script, authority, vault)
  const base =
    'token' in plan.base
      ? tokenOf(plan.base.token)
      : script.create('BaseTokenStandIn', [plan.base.name, plan.base.standIn.decimals])
  const hook = plan.hasFreezeHook ? { hook: writeFreezeHook(script, authority, vault) } : {}
  const isNative = plan.assets.some(({ token }) => token === 'WETH')
  const site: VersionSite = {
    plan,
    authority,
    vault,
    base,
    registry,
    tokenOf,
    nativeWrapper: isNative ? nativeWrapper : zeroAddress,
  }
  const former = plan.upgradedOn === chainId ? [writeFormerLife(script, site)] : []
  const current = writeVersion(script, site, plan.generation)
  const versions = [...former, current]
  return { plan, chainId, authority, vault, base, ...hook, versions, current }
}

function writeManager(script: Script, authority: Address, vault: Address) {
  const manage = toFunctionSelector('manage(address[],bytes[],uint256[])')
  const { manager } = VAULT_ROLES
  script.call('RolesAuthority', authority, 'setRoleCapability', [manager, vault, manage, true])
  script.call('RolesAuthority', authority, 'setUserRole', [executor.address, manager, true])
}

function writeFreezeHook(script: Script, authority: Address, vault: Address): Address {
  const hook = script.create('FreezeHook', [owner, authority])
  script.call('BoringVault', vault, 'setBeforeTransferHook', [hook])
  const { freezeManager: role } = VAULT_ROLES
  const setFrozen = toFunctionSelector('setFrozen(address,bool)')
  script.call('RolesAuthority', authority, 'setRoleCapability', [role, hook, setFrozen, true])
  script.call('RolesAuthority', authority, 'setUserRole', [rateUpdater.address, role, true])
  return hook
}
