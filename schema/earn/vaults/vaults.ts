import { formatUnits, maxUint256 } from 'viem'
import type { AssetState } from '../../../domain/earn/vaults/deploymentStates.ts'
import {
  type ListedVault,
  listVaults,
  VAULT_FILTER_KEYS,
  type VaultPage,
  vaultQuery,
} from '../../../domain/earn/vaults/listVaults.ts'
import type { LiveDeployment } from '../../../domain/earn/vaults/readDeployments.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { listCost, pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'
import { FeeRateRef } from './feeRate.ts'
import { type Slas, WithdrawalSlasRef } from './withdrawalSlas.ts'

type Size = { raw: bigint; decimals: number }

const SupplyCapRef = builder.objectRef<Size>('DepositSupplyCap').implement({
  description: 'How much a vault takes in all, in its base token.',
  fields: (t) => ({
    raw: t.expose('raw', { type: 'Amount', description: 'Base units; 2^256-1 without a cap.' }),
    formatted: t.string({ description: 'Whole units.', resolve: formatted }),
    decimals: t.exposeInt('decimals', { description: 'Of the base token.' }),
    hasCap: t.boolean({
      description: 'False where it takes any amount.',
      resolve: ({ raw }) => raw !== maxUint256,
    }),
  }),
})

const OrderSizeRef = builder.objectRef<Size>('WithdrawalOrderSize').implement({
  description: 'An amount of shares.',
  fields: (t) => ({
    raw: t.expose('raw', { type: 'Amount', description: 'Base units.' }),
    formatted: t.string({ description: 'Whole shares.', resolve: formatted }),
    decimals: t.exposeInt('decimals', { description: 'Of the share token.' }),
  }),
})

const DeploymentAssetRef = builder
  .objectRef<AssetState & { slas: Slas | undefined }>('VaultDeploymentAsset')
  .implement({
    description: 'What a vault does with one token.',
    fields: (t) => ({
      assetAddress: t.expose('address', { type: 'Address', description: 'The token.' }),
      depositable: t.exposeBoolean('depositable', { description: 'Whether it is taken.' }),
      withdrawable: t.exposeBoolean('withdrawable', { description: 'Whether it is paid out.' }),
      depositFees: t.field({
        type: FeeRateRef,
        description: 'The rate of a deposit, beside a flat fee where there is one.',
        resolve: ({ depositFeeBps }) => depositFeeBps,
      }),
      withdrawFees: t.field({
        type: FeeRateRef,
        description: 'The rate of a withdrawal order, beside a flat fee where there is one.',
        resolve: ({ withdrawFeeBps }) => withdrawFeeBps,
      }),
      withdrawalSLAs: t.field({
        type: WithdrawalSlasRef,
        description: 'What the operator promises.',
        resolve: ({ slas }) => slas ?? invariant(),
      }),
    }),
  })

const DeploymentRef = builder.objectRef<LiveDeployment>('VaultDeployment').implement({
  description: 'A vault on one chain.',
  fields: (t) => ({
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    boringVaultAddress: t.expose('vault', {
      type: 'Address',
      description: 'The vault, which is also its share token: `vaultAddress` everywhere else.',
    }),
    depositorAddress: t.expose('depositor', {
      type: 'Address',
      description: 'Where deposits are sent; the spender of a deposit.',
    }),
    withdrawQueueAddress: t.expose('queue', {
      type: 'Address',
      description: 'Where withdrawal orders are sent; the spender of their shares.',
    }),
    requiresKyt: t.boolean({
      description: 'Whether deposits need an attestation, which this service obtains.',
      resolve: ({ state }) => state.requiresKyt,
    }),
    baseTokenAddress: t.expose('baseToken', {
      type: 'Address',
      description: 'What the vault counts in.',
    }),
    accountantAddress: t.expose('accountant', { type: 'Address', description: 'Knows the rate.' }),
    tellerAddress: t.expose('teller', { type: 'Address', description: 'Mints and burns shares.' }),
    depositFeeAddress: t.field({
      type: 'Address',
      nullable: true,
      description: 'The fee module of deposits; null without one.',
      resolve: ({ state }) => state.depositFeeModule,
    }),
    withdrawFeeAddress: t.field({
      type: 'Address',
      nullable: true,
      description: 'The fee module of withdrawal orders; null without one.',
      resolve: ({ state }) => state.withdrawFeeModule,
    }),
    inDeprecation: t.exposeBoolean('inDeprecation', {
      description: 'Whether it takes no deposits any more.',
    }),
    depositSupplyCap: t.field({
      type: SupplyCapRef,
      description: 'How much it takes in all.',
      resolve: ({ state }) => ({ raw: state.supplyCapInBase, decimals: state.decimals }),
    }),
    minimumWithdrawalOrderSize: t.field({
      type: OrderSizeRef,
      description: 'The least `shareAmount` of a withdrawal.',
      resolve: ({ state }) => ({ raw: state.minimumOrderSize, decimals: state.decimals }),
    }),
    assets: t.field({
      type: [DeploymentAssetRef],
      complexity: listCost(4),
      description: 'Every token that it knows.',
      resolve: ({ state, assets }) =>
        state.assets.map((asset, index) => ({ ...asset, slas: assets[index]?.withdrawalSlas })),
    }),
  }),
})

const VaultRef = builder.objectRef<ListedVault>('Vault').implement({
  description: 'A vault by its name, over all chains.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    deployments: t.expose('deployments', {
      type: [DeploymentRef],
      complexity: listCost(3),
      description: 'By chain; those that the filter selects.',
    }),
  }),
})

const VaultPageRef = builder.objectRef<VaultPage>('VaultPage').implement({
  description: 'A page of vaults, by name.',
  fields: (t) => ({
    vaults: t.expose('vaults', { type: [VaultRef], description: 'The vaults.' }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: 'What asks for the next page; null on the last.',
    }),
  }),
})

builder.queryField('vaults', (t) =>
  t.field({
    type: VaultPageRef,
    nullable: true,
    complexity: pageCost('chains'),
    description: 'The vaults with what their chains say of them, at most 30 s old.',
    args: listArguments(VAULT_FILTER_KEYS),
    extensions: checkedByQuery(vaultQuery),
    resolve: (_, list, context) => listVaults(context, listParams(list)),
  }),
)

function formatted({ raw, decimals }: Size): string {
  return formatUnits(raw, decimals)
}

function invariant(): never {
  throw new Error('Invariant(vaults): the states are of the assets of the address book')
}
