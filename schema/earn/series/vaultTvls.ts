import {
  listVaultTvls,
  type VaultTvl,
  type VaultTvlPage,
  vaultTvlQuery,
} from '../../../domain/earn/series/listVaultTvls.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { seriesArguments, seriesParams } from './seriesArguments.ts'

const VaultTvlRef = builder.objectRef<VaultTvl>('VaultTvl').implement({
  description: "What a vault's shares were worth at a time.",
  fields: (t) => ({
    vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'The time: a multiple of `interval`, or that of the block which `isCurrent`.',
      resolve: ({ timestamp }) => new Date(timestamp * 1_000),
    }),
    interval: t.string({
      description: 'Seconds from row to row.',
      resolve: ({ interval }) => String(interval),
    }),
    tvl: t.exposeString('tvl', {
      description: '`supply * rate`, floored, in whole units of the base with all of its decimals.',
    }),
    tvlAsset: t.exposeString('tvlAsset', { description: 'The symbol of the base.' }),
    supply: t.expose('supply', { type: 'Amount', description: 'All shares, base units.' }),
    rate: t.expose('rate', {
      type: 'Amount',
      description: 'What a whole share was worth, in base units of the base.',
    }),
    holders: t.exposeInt('holders', {
      nullable: true,
      description: 'Accounts with shares; null in the row of now.',
    }),
    supplyBlock: t.expose('supplyBlock', {
      type: 'BlockNumber',
      nullable: true,
      description: 'The block that set `supply`; null before the first, and in the row of now.',
    }),
    rateBlock: t.expose('rateBlock', {
      type: 'BlockNumber',
      nullable: true,
      description:
        'The block that set `rate`; null for the rate that the vault began with, and in the row of now.',
    }),
    isCurrent: t.exposeBoolean('isCurrent', {
      description: 'Whether it is what the chain says now.',
    }),
  }),
})

const VaultTvlPageRef = builder.objectRef<VaultTvlPage>('VaultTvlPage').implement({
  description: 'A page of a series, by time, chain and vault; the rows of now are the newest.',
  fields: (t) => ({
    vaultTvls: t.expose('vaultTvls', { type: [VaultTvlRef], description: 'The rows.' }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: 'What asks for the next page; null on the last.',
    }),
  }),
})

builder.queryField('vaultTvls', (t) =>
  t.field({
    type: VaultTvlPageRef,
    nullable: true,
    complexity: pageCost('history'),
    description: 'What the vaults were worth, at regular times since their first block, and now.',
    args: {
      ...seriesArguments,
      includeCurrent: t.arg.boolean({
        required: true,
        defaultValue: true,
        description:
          'Whether each vault also has a row of its current value, read from its chain at most 30 s ago. It is the newest row.',
      }),
    },
    extensions: checkedByQuery(vaultTvlQuery),
    resolve: (_, { includeCurrent, ...series }, context) =>
      listVaultTvls(context, { ...seriesParams(series), includeCurrent }),
  }),
)
