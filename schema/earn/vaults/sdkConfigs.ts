import type { Address } from 'viem'
import type { AddressBook } from '../../../domain/addressBook/addressBook.ts'
import { listSdkConfigs, type SdkConfig } from '../../../domain/earn/vaults/listSdkConfigs.ts'
import { checksummed } from '../../../domain/token/checksummed.ts'
import { optional } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { enumType } from '../../enumType.ts'
import { listCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { withoutNulls } from '../../withoutNulls.ts'

/** Existing clients read the address book by these names, so they must not change. */

const EnvironmentRef = enumType<AddressBook['environment']>('Environment', {
  description: 'The environment of an address book.',
  values: {
    PRODUCTION: 'Real funds.',
    STAGING: 'Tests before production.',
    DEVELOPMENT: 'Local nodes and forks.',
  },
})
const YieldTypeRef = enumType<SdkConfig['deployment']['yieldType']>('YieldType', {
  description: "The kind of a vault's yield.",
  values: {
    CORE: 'Core strategies.',
    PRIME: 'Overcollateralised lending to institutions.',
    TREASURY: 'Treasuries.',
    TBILL: 'Treasury bills.',
    FRONTIER: 'Newer strategies.',
    LENDING: 'Lending markets.',
  },
})

type StandIn = NonNullable<SdkConfig['deployment']['baseTokenStandIn']>

const StandInRef = builder.objectRef<StandIn>('BaseTokenStandIn').implement({
  description: 'The unit of account of a vault whose base is not a token.',
  fields: fieldsOf(() => ({
    decimals: nonNull.int('The decimals of amounts in this unit.'),
    symbol: nonNull.string('The symbol of this unit.'),
    coinGeckoApiId: nullable
      .string('The CoinGecko id for its price.')
      .by(({ coinGeckoId }) => coinGeckoId),
  })),
})

const ConfigVaultRef = builder.objectRef<SdkConfig>('SdkConfigVault').implement({
  description: 'One vault on one chain. Every `…ModuleId` is the address of a contract.',
  fields: fieldsOf(() => ({
    id: nonNull.string('`<chainId>:<vault>`.').by(vaultId),
    name: nonNull.string('The name of the vault.').by(({ deployment }) => deployment.name),
    chainId: nonNull.int('The chain id.').by(({ deployment }) => deployment.chainId),
    isDeleted: nonNull.boolean('Always false: only live deployments are listed.').by(() => false),
    boringVaultModuleId: contract('The address of the vault.', ({ vault }) => vault),
    boringVaultAddress: contract('The address of the vault.', ({ vault }) => vault),
    rolesAuthorityModuleId: nullable
      .string(
        'The roles authority: it decides which account may call which function. Null where the address book has none.',
      )
      .by(({ deployment }) => deployment.rolesAuthority && checksummed(deployment.rolesAuthority)),
    tellerModuleId: contract('The teller: it mints and burns shares.', ({ teller }) => teller),
    accountantModuleId: contract(
      'The accountant: it keeps the price of a share.',
      ({ accountant }) => accountant,
    ),
    managerModuleId: nullable
      .string("The manager: it moves the vault's assets. Null where the address book has none.")
      .by(({ deployment }) => deployment.manager && checksummed(deployment.manager)),
    withdrawQueueModuleId: contract(
      'The withdraw queue: withdrawal requests wait in it.',
      ({ queue }) => queue,
    ),
    communityCodeDepositorModuleId: contract(
      'The depositor: deposits are sent to it.',
      ({ depositor }) => depositor,
    ),
    baseTokenAddressId: nonNull
      .string(
        "The `id` of the row's `depositTokenAddress`, by which clients look vaults up. The base of the accountant is in `vaults`.",
      )
      .by(depositTokenId),
    baseTokenStandInId: nullable
      .string('The base of the accountant where it is not a token. Null otherwise.')
      .by(({ deployment }) => deployment.baseTokenStandIn && checksummed(deployment.baseToken)),
    baseTokenStandIn: nullable
      .of(StandInRef, 'The unit of account where the base is not a token. Null otherwise.')
      .by(({ deployment }) => deployment.baseTokenStandIn),
  })),
})

function contract(description: string, of: (deployment: SdkConfig['deployment']) => Address) {
  return nonNull.string(description).by(({ deployment }: SdkConfig) => checksummed(of(deployment)))
}

const ConfigTokenRef = builder.objectRef<SdkConfig>('SdkConfigToken').implement({
  description: 'A token that can be deposited.',
  fields: fieldsOf(() => ({
    id: nonNull.string('The address of the token.').by(depositTokenId),
    address: nonNull.string('The address of the token.').by(depositTokenId),
    chainId: nonNull.int('The chain id.').by(({ deployment }) => deployment.chainId),
    name: nonNull.string('The name of the token.').by(({ depositAsset }) => depositAsset.name),
  })),
})

const SdkConfigRef = builder.objectRef<SdkConfig>('AmplifySdkConfig').implement({
  description: 'A deployment and one of the tokens that can be deposited there.',
  fields: fieldsOf(() => ({
    id: nonNull
      .string('`<chainId>:<vault>:<token>`.')
      .by((config) => `${vaultId(config)}:${depositTokenId(config)}`),
    chainId: nonNull.int('The chain id.').by(({ deployment }) => deployment.chainId),
    environment: nonNull.of(EnvironmentRef, 'The environment of this service.'),
    yieldType: nonNull
      .of(YieldTypeRef, "The kind of the vault's yield.")
      .by(({ deployment }) => deployment.yieldType),
    vaultId: nonNull.string('The `id` of `vault`.').by(vaultId),
    depositTokenAddressId: nonNull.string('The `id` of `depositTokenAddress`.').by(depositTokenId),
    vault: nonNull.of(ConfigVaultRef, 'The deployment.').by((config) => config),
    depositTokenAddress: nonNull.of(ConfigTokenRef, 'The token.').by((config) => config),
  })),
})

queryField('amplifySdkConfigs', {
  type: [SdkConfigRef],
  complexity: listCost(200),
  description:
    'One row for each live deployment and each token that can be deposited there, the older generation of depositors first. From the address book alone: always whole, also while nodes are slow. A missing argument does not filter.',
  args: {
    environment: optional.of(EnvironmentRef, 'Only rows of this environment.'),
    chainId: optional.int('Only rows of this chain.'),
    yieldType: optional.of(YieldTypeRef, 'Only vaults with this kind of yield.'),
  },
  resolve: (_, args, { addressBook }) => listSdkConfigs(addressBook, withoutNulls(args)),
})

function vaultId({ deployment }: SdkConfig): string {
  return `${deployment.chainId}:${checksummed(deployment.vault)}`
}

function depositTokenId({ depositAsset }: SdkConfig): string {
  return checksummed(depositAsset.address)
}
