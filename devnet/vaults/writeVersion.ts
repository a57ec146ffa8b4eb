import { type Address, maxUint256, toFunctionSelector, zeroAddress } from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS, DEVNET_DIRECT_WITHDRAWER, DEVNET_SOLVER } from '../accounts.ts'
import { type PlannedVault, POLICY_ID, RATE_BOUNDS_BPS, RATE_DELAY_SECONDS } from './plan.ts'
import { PUBLIC_FUNCTIONS, selectorOf, VAULT_ROLES } from './roles.ts'
import type { Script } from './script.ts'

/** The contracts of a vault that can be replaced during its life, all at once. */
export type VaultVersion = {
  generation: 'A' | 'HEAD'
  accountant: Address
  teller: Address
  depositor: Address
  queue: Address
  depositFeeModule?: Address
  withdrawFeeModule: Address
}

export type VersionSite = {
  plan: PlannedVault
  authority: Address
  vault: Address
  base: Address
  registry: Address
  /** Zero if the vault does not take the native coin. */
  nativeWrapper: Address
  tokenOf: (symbol: string) => Address
}

const { vaultDeployer, rateUpdater, queueProcessor, feeRecipient, recovery } = DEVNET_ACTORS
const owner = vaultDeployer.address

/** Adds all contracts around a vault, and the permissions to call them. */
export function writeVersion(
  script: Script,
  site: VersionSite,
  generation: VaultVersion['generation'],
): VaultVersion {
  const accountant = writeAccountant(script, site, generation)
  const teller = script.create(generation === 'A' ? 'TellerA' : 'Teller', [
    owner,
    site.authority,
    accountant,
  ])
  writeAssets(script, site, { accountant, teller, generation })
  const modules = writeFeeModules(script, site, accountant)
  const depositor = writeDepositor(script, site, { teller, generation, ...modules })
  const queue = writeQueue(script, site, { teller, generation, ...modules })
  const version = { generation, accountant, teller, depositor, queue, ...modules }
  writeRoles(script, site, version)
  return version
}

/** Retires a version: its contracts lose their roles. */
export function writeRetirement(script: Script, site: VersionSite, version: VaultVersion) {
  const { teller, solver, depositor } = VAULT_ROLES
  for (const [user, role] of [
    [version.queue, solver],
    [version.teller, teller],
    [version.depositor, depositor],
  ] as const)
    script.call('RolesAuthority', site.authority, 'setUserRole', [user, role, false])
}

function writeAccountant(
  script: Script,
  { plan, authority, vault, base }: VersionSite,
  generation: VaultVersion['generation'],
): Address {
  return script.create(generation === 'A' ? 'AccountantA' : 'AccountantWithRateProviders', [
    owner,
    authority,
    vault,
    base,
    {
      payoutAddress: feeRecipient.address,
      startingExchangeRate: 10n ** BigInt(plan.decimals),
      allowedExchangeRateChangeUpper: RATE_BOUNDS_BPS.upper,
      allowedExchangeRateChangeLower: RATE_BOUNDS_BPS.lower,
      minimumUpdateDelayInSeconds: RATE_DELAY_SECONDS,
      managementFee: plan.managementFeeBps,
      performanceFee: plan.performanceFeeBps,
    },
  ])
}

type Generation = { generation: VaultVersion['generation'] }

function writeAssets(
  script: Script,
  { plan, base, tokenOf }: VersionSite,
  { accountant, teller, generation }: Generation & { accountant: Address; teller: Address },
) {
  for (const { token, rate, isClosedForDeposits } of plan.assets) {
    const asset = tokenOf(token)
    if (generation === 'A') script.call('TellerA', teller, 'addAsset', [asset])
    else {
      script.call('Teller', teller, 'addWithdrawAsset', [asset])
      if (!isClosedForDeposits) script.call('Teller', teller, 'addDepositAsset', [asset])
    }
    if (asset === base) continue
    const provider = rate === undefined ? zeroAddress : script.create('RateProvider', [owner, rate])
    const isPegged = rate === undefined
    script.call('AccountantWithRateProviders', accountant, 'setRateProviderData', [
      asset,
      isPegged,
      provider,
    ])
  }
}

type FeeModules = Pick<VaultVersion, 'depositFeeModule' | 'withdrawFeeModule'>

function writeFeeModules(
  script: Script,
  { plan, authority, tokenOf }: VersionSite,
  accountant: Address,
): FeeModules {
  if (plan.fees !== 'per asset')
    return { withdrawFeeModule: script.create('SimpleFeeModule', [plan.fees]) }
  const depositFeeModule = script.create('DepositAssetSpecificFeeModule', [owner, authority])
  const withdrawFeeModule = script.create('WithdrawQueueAssetSpecificFeeModule', [
    owner,
    authority,
    accountant,
  ])
  for (const { token, depositFee, withdrawFee } of plan.assets)
    for (const [contract, module, fee] of [
      ['DepositAssetSpecificFeeModule', depositFeeModule, depositFee],
      ['WithdrawQueueAssetSpecificFeeModule', withdrawFeeModule, withdrawFee],
    ] as const)
      if (fee) script.call(contract, module, 'setFeeData', [tokenOf(token), fee.bps, fee.flat])
  return { depositFeeModule, withdrawFeeModule }
}

function writeDepositor(
  script: Script,
  { plan, authority, registry, nativeWrapper, tokenOf }: VersionSite,
  { teller, generation, depositFeeModule }: Generation & FeeModules & { teller: Address },
): Address {
  if (generation === 'A')
    return script.create('DistributorCodeDepositorA', [owner, authority, teller, nativeWrapper])
  const depositor = script.create('DistributorCodeDepositor', [
    owner,
    authority,
    teller,
    {
      nativeWrapper,
      feeModule: depositFeeModule ?? zeroAddress,
      feeRecipient: feeRecipient.address,
      supplyCap: plan.supplyCap ?? maxUint256,
      registry,
      policyID: POLICY_ID,
    },
  ])
  for (const { token, isAttested } of plan.assets)
    if (isAttested)
      script.call('DistributorCodeDepositor', depositor, 'setKytStatus', [tokenOf(token), true])
  return depositor
}

function writeQueue(
  script: Script,
  { plan, authority }: VersionSite,
  { teller, generation, withdrawFeeModule }: Generation & FeeModules & { teller: Address },
): Address {
  const terms = {
    teller,
    feeModule: withdrawFeeModule,
    feeRecipient: feeRecipient.address,
    minimumOrderSize: plan.minimumOrderSize,
  }
  const common = [`${plan.name} Withdrawals`, `${plan.symbol}-W`, owner, authority, terms]
  return generation === 'A'
    ? script.create('WithdrawQueueA', common)
    : script.create('WithdrawQueue', [...common, recovery.address])
}

function writeRoles(
  script: Script,
  { authority, vault }: VersionSite,
  { generation, accountant, teller, depositor, queue }: VaultVersion,
) {
  const roles = VAULT_ROLES
  const grant = (name: string, args: unknown[]) =>
    script.call('RolesAuthority', authority, name, args)
  const capabilities: [role: number, target: Address, signature: string][] = [
    [roles.teller, vault, 'enter(address,address,uint256,address,uint256)'],
    [roles.teller, vault, 'exit(address,address,uint256,address,uint256)'],
    [roles.rateUpdater, accountant, 'updateExchangeRate(uint96)'],
    [roles.solver, teller, 'bulkWithdraw(address,uint256,uint256,address)'],
    [roles.pauser, teller, 'pause()'],
    [roles.pauser, accountant, 'pause()'],
    [roles.depositor, teller, 'deposit(address,uint256,uint256)'],
    [roles.queueProcessor, queue, 'processOrders(uint256)'],
  ]
  for (const [role, target, signature] of capabilities)
    grant('setRoleCapability', [role, target, toFunctionSelector(signature), true])
  const settleAll = selectorOf(withdrawQueueAbi, 'submitOrderAndProcessAll')
  grant('setRoleCapability', [roles.directWithdrawer, queue, settleAll, true])
  const holders: [user: Address, role: number][] = [
    [teller, roles.teller],
    [depositor, roles.depositor],
    [queue, roles.solver],
    [DEVNET_SOLVER.address, roles.solver],
    [rateUpdater.address, roles.rateUpdater],
    [rateUpdater.address, roles.pauser],
    [queueProcessor.address, roles.queueProcessor],
    [DEVNET_DIRECT_WITHDRAWER.address, roles.directWithdrawer],
  ]
  for (const [user, role] of holders) grant('setUserRole', [user, role, true])
  for (const selector of PUBLIC_FUNCTIONS.depositor[generation])
    grant('setPublicCapability', [depositor, selector, true])
  for (const selector of PUBLIC_FUNCTIONS.queue)
    grant('setPublicCapability', [queue, selector, true])
}
