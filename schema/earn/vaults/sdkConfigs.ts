import type { AddressBook } from '../../../domain/addressBook/addressBook.ts'
import { listSdkConfigs, type SdkConfig } from '../../../domain/earn/vaults/listSdkConfigs.ts'
import { checksummed } from '../../../domain/token/checksummed.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'

/** One field with the names that clients of the address book have built upon: they must not change. */

const EnvironmentRef = builder.enumType('Environment', {
  description: 'What an address book is of.',
  values: {
    PRODUCTION: { description: 'What is of worth.' },
    STAGING: { description: 'What goes to production next.' },
    DEVELOPMENT: { description: 'Local nodes and forks.' },
  } satisfies Record<AddressBook['environment'], { description: string }>,
})
const YieldTypeRef = builder.enumType('YieldType', {
  description: 'What kind of yield a vault has.',
  values: {
    CORE: { description: 'Of the core strategies.' },
    PRIME: { description: 'Of overcollateralised lending to institutions.' },
    TREASURY: { description: 'Of treasuries.' },
    TBILL: { description: 'Of treasury bills.' },
    FRONTIER: { description: 'Of newer strategies.' },
    LENDING: { description: 'Of lending markets.' },
  } satisfies Record<SdkConfig['deployment']['yieldType'], { description: string }>,
})

type StandIn = NonNullable<SdkConfig['deployment']['baseTokenStandIn']>

const StandInRef = builder.objectRef<StandIn>('BaseTokenStandIn').implement({
  description: 'What a vault counts in where that is no token.',
  fields: (t) => ({
    decimals: t.exposeInt('decimals', { description: 'Of amounts in it.' }),
    symbol: t.exposeString('symbol', { description: 'Its name.' }),
    coinGeckoApiId: t.exposeString('coinGeckoId', {
      nullable: true,
      description: 'By which its price is looked up.',
    }),
  }),
})

const ConfigVaultRef = builder.objectRef<SdkConfig>('SdkConfigVault').implement({
  description: 'A deployment. Every `…ModuleId` is the address of that contract.',
  fields: (t) => {
    const contract = (
      description: string,
      of: (deployment: SdkConfig['deployment']) => `0x${string}`,
    ) => t.string({ description, resolve: ({ deployment }) => checksummed(of(deployment)) })
    return {
      id: t.string({ description: 'Chain and vault.', resolve: vaultId }),
      name: t.string({ description: 'Its name.', resolve: ({ deployment }) => deployment.name }),
      chainId: t.int({
        description: 'The chain.',
        resolve: ({ deployment }) => deployment.chainId,
      }),
      isDeleted: t.boolean({
        description: 'Always false: only live ones are listed.',
        resolve: () => false,
      }),
      boringVaultModuleId: contract('The vault.', ({ vault }) => vault),
      boringVaultAddress: contract('The vault.', ({ vault }) => vault),
      rolesAuthorityModuleId: t.string({
        nullable: true,
        description: 'Who says who may call what.',
        resolve: ({ authority }) => authority && checksummed(authority),
      }),
      tellerModuleId: contract('Mints and burns shares.', ({ teller }) => teller),
      accountantModuleId: contract('Knows the rate.', ({ accountant }) => accountant),
      managerModuleId: t.string({
        nullable: true,
        description: "Moves the vault's assets; null where the address book has none.",
        resolve: ({ deployment }) => deployment.manager && checksummed(deployment.manager),
      }),
      withdrawQueueModuleId: contract('Where withdrawal orders wait.', ({ queue }) => queue),
      communityCodeDepositorModuleId: contract(
        'Where deposits are sent.',
        ({ depositor }) => depositor,
      ),
      baseTokenAddressId: contract("The accountant's base.", ({ baseToken }) => baseToken),
      baseTokenStandInId: t.string({
        nullable: true,
        description: 'The base where it is no token.',
        resolve: ({ deployment }) =>
          deployment.baseTokenStandIn && checksummed(deployment.baseToken),
      }),
      baseTokenStandIn: t.field({
        type: StandInRef,
        nullable: true,
        description: 'What is known of it.',
        resolve: ({ deployment }) => deployment.baseTokenStandIn,
      }),
    }
  },
})

const ConfigTokenRef = builder.objectRef<SdkConfig>('SdkConfigToken').implement({
  description: 'A token that can be deposited.',
  fields: (t) => ({
    id: t.string({ description: 'Its address.', resolve: depositTokenId }),
    address: t.string({ description: 'Its address.', resolve: depositTokenId }),
    chainId: t.int({ description: 'The chain.', resolve: ({ deployment }) => deployment.chainId }),
    name: t.string({
      description: 'As the token says.',
      resolve: async ({ deployment, depositAsset }, _, { tokens }) =>
        (await tokens.get(deployment.chainId, depositAsset)).name,
    }),
  }),
})

const SdkConfigRef = builder.objectRef<SdkConfig>('AmplifySdkConfig').implement({
  description: 'A deployment and one of the tokens that it takes.',
  fields: (t) => ({
    id: t.string({
      description: 'Chain, vault and token.',
      resolve: (config) => `${vaultId(config)}:${depositTokenId(config)}`,
    }),
    chainId: t.int({ description: 'The chain.', resolve: ({ deployment }) => deployment.chainId }),
    environment: t.expose('environment', {
      type: EnvironmentRef,
      description: 'Of this service.',
    }),
    yieldType: t.field({
      type: YieldTypeRef,
      description: 'Of the vault.',
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
  }),
})

builder.queryField('amplifySdkConfigs', (t) =>
  t.field({
    type: [SdkConfigRef],
    nullable: true,
    complexity: { ...readCost('chains'), multiplier: 200 },
    description:
      'A row per live deployment and token that it takes; the older generation of depositors first. An argument that is not given filters nothing.',
    args: {
      environment: t.arg({ type: EnvironmentRef, description: 'Only of this environment.' }),
      chainId: t.arg.int({ description: 'Only on this chain.' }),
      yieldType: t.arg({ type: YieldTypeRef, description: 'Only of this kind.' }),
    },
    resolve: (_, { environment, chainId, yieldType }, context) =>
      listSdkConfigs(context, {
        environment: environment ?? undefined,
        chainId: chainId ?? undefined,
        yieldType: yieldType ?? undefined,
      }),
  }),
)

function vaultId({ deployment }: SdkConfig): string {
  return `${deployment.chainId}:${checksummed(deployment.vault)}`
}

function depositTokenId({ depositAsset }: SdkConfig): string {
  return checksummed(depositAsset)
}
