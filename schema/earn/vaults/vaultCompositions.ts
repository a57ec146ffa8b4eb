import { DEPLOYMENT_FILTER_KEYS } from '../../../domain/earn/vaults/deploymentFilter.ts'
import {
  listVaultCompositions,
  type VaultComponent,
  type VaultComposition,
  type VaultCompositionPage,
  vaultCompositionQuery,
} from '../../../domain/earn/vaults/listVaultCompositions.ts'
import { checksummed } from '../../../domain/token/checksummed.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { listCost, pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'

const PositionKindRef = builder.enumType('PositionKind', {
  description: 'What a component of a vault is to it.',
  values: { ASSET: { description: 'Something that it owns.' } },
})
const InstrumentTypeRef = builder.enumType('InstrumentType', {
  description: 'What kind of thing a component of a vault is.',
  values: { ERC20: { description: 'A token.' } },
})
const PositionRefTypeRef = builder.enumType('PositionRefType', {
  description: 'What a position is named by.',
  values: { TOKEN: { description: 'A token on a chain.' } },
})

const PositionRefRef = builder.objectRef<VaultComponent>('PositionRef').implement({
  description: 'What tells a position from every other.',
  fields: (t) => ({
    type: t.field({
      type: PositionRefTypeRef,
      description: 'What it is named by.',
      resolve: () => 'TOKEN' as const,
    }),
    id: t.string({
      description: 'Of a token `<chainId>:<address>`.',
      resolve: ({ chainId, assetAddress }) => `${chainId}:${checksummed(assetAddress)}`,
    }),
  }),
})

const VaultComponentRef = builder.objectRef<VaultComponent>('VaultComponent').implement({
  description: 'One of the things that a vault consists of.',
  fields: (t) => ({
    assetAddress: t.expose('assetAddress', { type: 'Address', description: 'The token.' }),
    amount: t.exposeString('amount', {
      description: 'What the vault has of it, whole units with all decimals of the token.',
    }),
    value: t.exposeString('value', {
      description: 'What that is worth, whole units with all decimals of the base.',
    }),
    valueAsset: t.exposeString('valueAsset', { description: 'The symbol of the base.' }),
    weight: t.exposeString('weight', {
      description: 'Its part of the value of all components, six decimals; together exactly 1.',
    }),
    positionKind: t.field({
      type: PositionKindRef,
      description: 'What it is to the vault.',
      resolve: () => 'ASSET' as const,
    }),
    instrumentType: t.field({
      type: InstrumentTypeRef,
      description: 'What kind of thing it is.',
      resolve: () => 'ERC20' as const,
    }),
    positionRef: t.field({
      type: PositionRefRef,
      description: 'What tells it from every other position.',
      resolve: (component) => component,
    }),
  }),
})

const VaultCompositionRef = builder.objectRef<VaultComposition>('VaultComposition').implement({
  description: 'What a vault consists of on one chain.',
  fields: (t) => ({
    vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    timestamp: t.expose('timestamp', {
      type: 'DateTime',
      description: 'Of the block that it was read at.',
    }),
    components: t.expose('components', {
      type: [VaultComponentRef],
      complexity: listCost(4),
      description: 'The one of the greatest value first; none of an empty vault.',
    }),
  }),
})

const VaultCompositionPageRef = builder
  .objectRef<VaultCompositionPage>('VaultCompositionPage')
  .implement({
    description: 'A page of compositions, by chain and vault.',
    fields: (t) => ({
      vaultCompositions: t.expose('vaultCompositions', {
        type: [VaultCompositionRef],
        description: 'The compositions.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('vaultCompositions', (t) =>
  t.field({
    type: VaultCompositionPageRef,
    nullable: true,
    complexity: pageCost('chains'),
    description:
      'What every vault has of the tokens that the address book knows for it, valued by its accountant, at most 30 s old.',
    args: listArguments(DEPLOYMENT_FILTER_KEYS),
    extensions: checkedByQuery(vaultCompositionQuery),
    resolve: (_, list, context) => listVaultCompositions(context, listParams(list)),
  }),
)
