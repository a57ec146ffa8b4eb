import type { AddressBook } from '../../../domain/addressBook/addressBook.ts'
import { listSdkConfigs, type SdkConfig } from '../../../domain/earn/vaults/listSdkConfigs.ts'
import { checksummed } from '../../../domain/token/checksummed.ts'
import { optional } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { enumType } from '../../enumType.ts'
import { listCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull } from '../../fieldsOf.ts'
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
  fields: fieldsOf((t) => ({
    decimals: nonNull.int('The decimals of amounts in this unit.'),
    symbol: nonNull.string('The symbol of this unit.'),
    coinGeckoApiId: t.exposeString('coinGeckoId', {
      nullable: true,
      description: 'The CoinGecko id for its price.',
    }),
  })),
})

const ConfigVaultRef = builder.objectRef<SdkConfig>('SdkConfigVault').implement({
  description: 'One vault on one chain. Every `…ModuleId` is the address of a contract.',
  fields: (t) => {
    const contract = (
      description: string,
      of: (deployment: SdkConfig['deployment']) => `0x${string}`,
    ) => t.string({ description, resolve: ({ deployment }) => checksummed(of(deployment)) })
    return {
      id: t.string({ description: '`<chainId>:<vault>`.', resolve: vaultId }),
      name: t.string({
        description: 'The name of the vault.',
        resolve: ({ deployment }) => deployment.name,
      }),
      chainId: t.int({
        description: 'The chain id.',
        resolve: ({ deployment }) => deployment.chainId,
      }),
      isDeleted: t.boolean({
        description: 'Always false: only live deployments are listed.',
        resolve: () => false,
      }),
      boringVaultModuleId: contract('The address of the vault.', ({ vault }) => vault),
      boringVaultAddress: contract('The address of the vault.', ({ vault }) => vault),
      rolesAuthorityModuleId: t.string({
        nullable: true,
        description:
          'The roles authority: it decides which account may call which function. Null where the address book has none.',
        resolve: ({ deployment }) =>
          deployment.rolesAuthority && checksummed(deployment.rolesAuthority),
      }),
      tellerModuleId: contract('The teller: it mints and burns shares.', ({ teller }) => teller),
      accountantModuleId: contract(
        'The accountant: it keeps the price of a share.',
        ({ accountant }) => accountant,
      ),
      managerModuleId: t.string({
        nullable: true,
        description:
          "The manager: it moves the vault's assets. Null where the address book has none.",
        resolve: ({ deployment }) => deployment.manager && checksummed(deployment.manager),
      }),
      withdrawQueueModuleId: contract(
        'The withdraw queue: withdrawal requests wait in it.',
        ({ queue }) => queue,
      ),
      communityCodeDepositorModuleId: contract(
        'The depositor: deposits are sent to it.',
        ({ depositor }) => depositor,
      ),
      baseTokenAddressId: t.string({
        description:
          "The `id` of the row's `depositTokenAddress`, by which clients look vaults up. The base of the accountant is in `vaults`.",
        resolve: depositTokenId,
      }),
      baseTokenStandInId: t.string({
        nullable: true,
        description: 'The base of the accountant where it is not a token. Null otherwise.',
        resolve: ({ deployment }) =>
          deployment.baseTokenStandIn && checksummed(deployment.baseToken),
      }),
      baseTokenStandIn: t.field({
        type: StandInRef,
        nullable: true,
        description: 'The unit of account where the base is not a token. Null otherwise.',
        resolve: ({ deployment }) => deployment.baseTokenStandIn,
      }),
    }
  },
})

const ConfigTokenRef = builder.objectRef<SdkConfig>('SdkConfigToken').implement({
  description: 'A token that can be deposited.',
  fields: (t) => ({
    id: t.string({ description: 'The address of the token.', resolve: depositTokenId }),
    address: t.string({ description: 'The address of the token.', resolve: depositTokenId }),
    chainId: t.int({
      description: 'The chain id.',
      resolve: ({ deployment }) => deployment.chainId,
    }),
    name: t.string({
      description: 'The name of the token.',
      resolve: ({ depositAsset }) => depositAsset.name,
    }),
  }),
})

const SdkConfigRef = builder.objectRef<SdkConfig>('AmplifySdkConfig').implement({
  description: 'A deployment and one of the tokens that can be deposited there.',
  fields: fieldsOf((t) => ({
    id: t.string({
      description: '`<chainId>:<vault>:<token>`.',
      resolve: (config) => `${vaultId(config)}:${depositTokenId(config)}`,
    }),
    chainId: t.int({
      description: 'The chain id.',
      resolve: ({ deployment }) => deployment.chainId,
    }),
    environment: nonNull.of(EnvironmentRef, 'The environment of this service.'),
    yieldType: t.field({
      type: YieldTypeRef,
      description: "The kind of the vault's yield.",
      resolve: ({ deployment }) => deployment.yieldType,
    }),
    vaultId: t.string({ description: 'The `id` of `vault`.', resolve: vaultId }),
    depositTokenAddressId: t.string({
      description: 'The `id` of `depositTokenAddress`.',
      resolve: depositTokenId,
    }),
    vault: t.field({
      type: ConfigVaultRef,
      description: 'The deployment.',
      resolve: (config) => config,
    }),
    depositTokenAddress: t.field({
      type: ConfigTokenRef,
      description: 'The token.',
      resolve: (config) => config,
    }),
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
