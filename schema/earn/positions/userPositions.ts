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
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'

const UserPositionRef = builder.objectRef<UserPosition>('UserPosition').implement({
  description: 'What an account has of a vault on one chain.',
  fields: (t) => ({
    vaultAddress: t.expose('vaultAddress', {
      type: 'Address',
      description: 'The vault, which is also its share token.',
    }),
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    shareBalance: t.expose('shareBalance', { type: 'Amount', description: 'Shares, base units.' }),
    positionValueInBase: t.exposeString('positionValueInBase', {
      description: 'What they are worth, floored, in whole units of the base with all decimals.',
    }),
    baseAssetAddress: t.field({
      type: 'Address',
      description: 'What the vault counts in.',
      resolve: ({ base }) => base.address,
    }),
    exchangeRateToBase: t.exposeString('exchangeRateToBase', {
      description: 'What a whole share is worth, in whole units of the base with all decimals.',
    }),
  }),
})

const UserPositionPageRef = builder.objectRef<UserPositionPage>('UserPositionPage').implement({
  description: 'A page of positions, by chain and vault.',
  fields: (t) => ({
    userPositions: t.expose('userPositions', {
      type: [UserPositionRef],
      description: 'The positions.',
    }),
    nextPageToken: t.exposeString('nextPageToken', {
      nullable: true,
      description: 'What asks for the next page; null on the last.',
    }),
    tokenMetadata: t.field({
      type: 'TokenMetadataMap',
      description:
        'The bases of this page, and the share tokens. What stands for a base that is no token has `token_standard` NONE.',
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
      'What a user has of every vault that takes deposits, and of those in deprecation where it is something.',
    args: {
      userAddress: t.arg({ type: 'Address', required: true, description: 'Whose shares.' }),
      ...listArguments(DEPLOYMENT_FILTER_KEYS),
    },
    extensions: checkedByQuery(userPositionQuery),
    resolve: (_, { userAddress, ...list }, context) =>
      listUserPositions(context, { ...listParams(list), userAddress }),
  }),
)
