import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { DEVNET_ACTORS } from '../accounts.ts'
import { DEPLOYMENT } from '../deployment.ts'
import type { TokenSymbol } from '../plan.ts'
import { VAULT_CHAINS, type VaultChain, type VaultDeployment } from './deployment.ts'
import { PLANNED_VAULTS, WITHDRAWAL_SLAS } from './plan.ts'
import type { VaultVersion } from './writeVersion.ts'

type VaultsFile = NonNullable<AddressBookFile['vaults']>
type DeploymentFile = VaultsFile[number]['deployments'][number]

/** The last block of a vault's former contracts; undefined if it never had others. */
export type RetirementBlocks = Map<VaultDeployment, number>

/** The vaults of these chains in the address book's format, with the tokens that they add. */
export function vaultAddressBook(
  chainIds: number[],
  retirements: RetirementBlocks,
): Pick<AddressBookFile, 'tokens'> & { vaults: VaultsFile } {
  const chains = VAULT_CHAINS.filter(({ chainId }) => chainIds.includes(chainId))
  const deployments = chains.flatMap((chain) => chain.deployments)
  const vaults = PLANNED_VAULTS.map(({ name, yieldType }) => ({
    name,
    yieldType,
    deployments: deployments
      .filter(({ plan }) => plan.name === name)
      .map((deployment) => describe(deployment, retirements.get(deployment))),
  }))
  return {
    tokens: chains.flatMap(wrapperToken),
    vaults: vaults.filter(({ deployments: { length } }) => length > 0),
  }
}

function wrapperToken({ chainId, nativeWrapper: address }: VaultChain): AddressBookFile['tokens'] {
  const token = { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18, coinGeckoId: 'weth' }
  return address ? [{ chainId, address, ...token }] : []
}

function describe(deployment: VaultDeployment, retiredAt: number | undefined): DeploymentFile {
  const { plan, chainId, vault, authority, base, versions } = deployment
  const generations = <Older extends string, Newer extends string>(
    address: (version: VaultVersion) => `0x${string}`,
    [older, newer]: [Older, Newer],
  ) =>
    versions.map((version, index) => ({
      address: address(version),
      fromBlock: index === 0 || retiredAt === undefined ? 0 : retiredAt + 1,
      ...(index < versions.length - 1 && retiredAt !== undefined ? { toBlock: retiredAt } : {}),
      generation: version.generation === 'A' ? older : newer,
    }))
  return {
    chainId,
    vault: { address: vault, startBlock: 0 },
    manager: DEVNET_ACTORS.executor.address,
    rolesAuthority: authority,
    baseToken: base,
    ...('standIn' in plan.base ? { baseTokenStandIn: plan.base.standIn } : {}),
    tellers: generations(({ teller }) => teller, ['A', 'B']),
    accountants: generations(({ accountant }) => accountant, ['A', 'B']),
    depositors: generations(({ depositor }) => depositor, ['A', 'D']),
    queues: generations(({ queue }) => queue, ['A', 'C']),
    feeModules: versions
      .flatMap(({ depositFeeModule, withdrawFeeModule }) => [
        ...(depositFeeModule ? [depositFeeModule] : []),
        withdrawFeeModule,
      ])
      .map((address) => ({ address, fromBlock: 0 })),
    assets: plan.assets.map(({ token, isClosedForDeposits }) => ({
      address: tokenAddress(token, chainId),
      ...(isClosedForDeposits ? { depositable: false } : {}),
      withdrawalSlas: WITHDRAWAL_SLAS,
    })),
    ...(plan.inDeprecation ? { inDeprecation: true } : {}),
  }
}

function tokenAddress(symbol: TokenSymbol | 'WETH', chainId: number): `0x${string}` {
  if (symbol !== 'WETH') return DEPLOYMENT.tokens[symbol]
  const address = VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.nativeWrapper
  if (!address) throw new Error(`Invariant(tokenAddress): chain ${chainId} has no wrapper`)
  return address
}
