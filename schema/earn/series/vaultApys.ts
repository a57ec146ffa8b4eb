import {
  listVaultApys,
  type VaultApy,
  type VaultApyPage,
  vaultApyQuery,
} from '../../../domain/earn/series/listVaultApys.ts'
import { apyWindowParam, DEFAULT_APY_WINDOW } from '../../../domain/earn/series/seriesParameters.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { seriesArguments, seriesParams } from './seriesArguments.ts'

const VaultApyRef = builder.objectRef<VaultApy>('VaultApy').implement({
  description: "What a vault's shares gained up to a time, as if it went on for a year.",
  fields: (t) => ({
    vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'The time: a multiple of `interval`.',
      resolve: ({ timestamp }) => new Date(timestamp * 1_000),
    }),
    interval: t.string({
      description: 'Seconds from row to row.',
      resolve: ({ interval }) => String(interval),
    }),
    apy: t.exposeString('apy', {
      nullable: true,
      description:
        '`((endRate / startRate) ^ (31536000 / windowSeconds) - 1) * 100`: percent, up to 12 decimals. Null where it would be above 10^40, or `startRate` is 0.',
    }),
    windowSeconds: t.exposeInt('windowSeconds', {
      description: 'From `startTime` to `timestamp`: `apyWindow`, or the life of a younger vault.',
    }),
    startTime: t.field({
      type: 'DateTime',
      description: 'From when on growth counts.',
      resolve: ({ startTime }) => new Date(startTime * 1_000),
    }),
    startRate: t.expose('startRate', {
      type: 'Amount',
      description: 'The rate at `startTime`, in base units per whole share.',
    }),
    endRate: t.expose('endRate', { type: 'Amount', description: 'That at `timestamp`.' }),
    startBlock: t.expose('startBlock', {
      type: 'BlockNumber',
      nullable: true,
      description: 'The block that set `startRate`; null for the rate that the vault began with.',
    }),
    endBlock: t.expose('endBlock', {
      type: 'BlockNumber',
      nullable: true,
      description: 'The same of `endRate`.',
    }),
  }),
})

const VaultApyPageRef = builder.objectRef<VaultApyPage>('VaultApyPage').implement({
  description: 'A page of a series, by time, chain and vault.',
  fields: (t) => ({
    vaultApys: t.expose('vaultApys', { type: [VaultApyRef], description: 'The rows.' }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: 'What asks for the next page; null on the last.',
    }),
  }),
})

builder.queryField('vaultApys', (t) =>
  t.field({
    type: VaultApyPageRef,
    nullable: true,
    complexity: pageCost('history'),
    description: 'How fast the vaults grew, at regular times since their first block.',
    args: {
      ...seriesArguments,
      apyWindow: t.arg.int({
        required: true,
        defaultValue: DEFAULT_APY_WINDOW,
        description:
          'Seconds of growth before the time of a row, in full hours. A younger vault counts from its beginning.',
        extensions: { value: apyWindowParam },
      }),
    },
    extensions: checkedByQuery(vaultApyQuery),
    resolve: (_, { apyWindow, ...series }, context) =>
      listVaultApys(context, { ...seriesParams(series), apyWindow }),
  }),
)
