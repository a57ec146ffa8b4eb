import { DEPLOYMENT_FILTER_KEYS } from '../../../domain/earn/vaults/deploymentFilter.ts'
import {
  type LiquidityShortfall,
  type LiquidityShortfallPage,
  liquidityShortfallQuery,
  listLiquidityShortfalls,
} from '../../../domain/earn/withdrawals/listLiquidityShortfalls.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'

const LiquidityShortfallRef = builder
  .objectRef<LiquidityShortfall>('LiquidityShortfall')
  .implement({
    description:
      'A token of which a vault has less than its queue is to pay for the orders that wait and are not cancelled. In base units.',
    fields: (t) => ({
      vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
      chainId: t.exposeInt('chainId', { description: 'The chain.' }),
      assetAddress: t.expose('assetAddress', {
        type: 'Address',
        description: 'The token that they want.',
      }),
      pendingOrderCount: t.exposeInt('pendingOrderCount', { description: 'How many they are.' }),
      pendingShares: t.expose('pendingShares', {
        type: 'Amount',
        description: 'What they offer, in shares.',
      }),
      pendingAssets: t.expose('pendingAssets', {
        type: 'Amount',
        description: 'What the queue would pay for them now, its fee deducted.',
      }),
      vaultBalance: t.expose('vaultBalance', {
        type: 'Amount',
        description: 'What the vault has of it.',
      }),
      shortfall: t.expose('shortfall', { type: 'Amount', description: 'What is lacking.' }),
    }),
  })

const LiquidityShortfallPageRef = builder
  .objectRef<LiquidityShortfallPage>('LiquidityShortfallPage')
  .implement({
    description: 'A page of shortfalls, by chain, vault and token.',
    fields: (t) => ({
      liquidityShortfalls: t.expose('liquidityShortfalls', {
        type: [LiquidityShortfallRef],
        description: 'The shortfalls.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('liquidityShortfalls', (t) =>
  t.field({
    type: LiquidityShortfallPageRef,
    nullable: true,
    complexity: pageCost('chains'),
    description:
      'Where the orders that wait ask for more than the vault has: the orders from the index, the rest from the chain, at most 30 s old.',
    args: listArguments(DEPLOYMENT_FILTER_KEYS),
    extensions: checkedByQuery(liquidityShortfallQuery),
    resolve: (_, list, context) => listLiquidityShortfalls(context, listParams(list)),
  }),
)
