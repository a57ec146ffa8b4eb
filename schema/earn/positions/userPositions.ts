import {
  listUserPositions,
  type UserPosition,
  type UserPositionPage,
  userPositionQuery,
} from '../../../domain/earn/positions/listUserPositions.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../../../domain/earn/vaults/deploymentFilter.ts'
import { tokenMetadata } from '../../../domain/token/tokenMetadata.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'

const UserPositionRef = builder.objectRef<UserPosition>('UserPosition').implement({
  interfaces: [ChainRowRef],
  description: 'The shares of one account in a vault on one chain.',
  fields: (t) => ({
    vaultAddress: t.expose('vaultAddress', {
      type: 'Address',
      description: 'The address of the vault, which is also the token of its shares.',
    }),
    chainId: t.exposeInt('chainId', { description: 'The chain id.' }),
    shareBalance: t.expose('shareBalance', {
      type: 'Amount',
      description: 'The number of shares, in base units.',
    }),
    positionValueInBase: t.exposeString('positionValueInBase', {
      description:
        'The value of the shares, rounded down, in whole base tokens with all their decimals.',
    }),
    baseAssetAddress: t.field({
      type: 'Address',
      description: 'The base token of the vault.',
      resolve: ({ base }) => base.address,
    }),
    exchangeRateToBase: t.exposeString('exchangeRateToBase', {
      description: 'The price of one whole share, in whole base tokens with all their decimals.',
    }),
  }),
})

const UserPositionPageRef = builder.objectRef<UserPositionPage>('UserPositionPage').implement({
  description: 'A page of positions, sorted by chain and vault.',
  fields: (t) => ({
    userPositions: t.expose('userPositions', {
      type: [UserPositionRef],
      description: 'The positions.',
    }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: '`pageToken` of the next page. Null on the last page.',
    }),
    tokenMetadata: t.field({
      type: 'TokenMetadataMap',
      description:
        'The base tokens and the shares on this page. A base that is not a token has `token_standard` NONE.',
      resolve: ({ userPositions }, _, context) =>
        tokenMetadata(
          context,
          userPositions.map(({ chainId, vaultAddress: address }) => ({ chainId, address })),
          userPositions.map(({ base }) => base),
        ),
    }),
  }),
})

builder.queryField('userPositions', (t) =>
  t.field({
    type: UserPositionPageRef,
    nullable: true,
    complexity: pageCost('chains'),
    description:
      'The positions of a user: one for each vault that takes deposits, even without shares, and one for each deprecated vault with shares.',
    args: {
      userAddress: t.arg({
        type: 'Address',
        required: true,
        description: 'The account that holds the shares.',
      }),
      ...listArguments(DEPLOYMENT_FILTER_KEYS),
    },
    extensions: checkedByQuery(userPositionQuery),
    resolve: (_, { userAddress, ...list }, context) =>
      listUserPositions(context, { ...listParams(list), userAddress }),
  }),
)
