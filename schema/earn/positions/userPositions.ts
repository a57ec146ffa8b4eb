import {
  listUserPositions,
  type UserPosition,
  type UserPositionPage,
  userPositionQuery,
} from '../../../domain/earn/positions/listUserPositions.ts'
import { type UsdValue, valueInUsd } from '../../../domain/earn/positions/valueInUsd.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../../../domain/earn/vaults/deploymentFilter.ts'
import type { Token } from '../../../domain/token/tokenReader.ts'
import { amountOf } from '../../amountOf.ts'
import { required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listArguments } from '../../listArguments.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { positionShares } from './positionShares.ts'

const UsdValueRef = builder.objectRef<UsdValue>('UsdValue').implement({
  description: 'A value in USD, by a price feed.',
  fields: fieldsOf(() => ({
    amount: nonNull.string('USD, with all decimals of the feed, rounded down.'),
    feed: nonNull.string('The price feed: `<chainId>:<address>`.'),
    updatedAt: nonNull.dateTime('When the feed set the price.'),
  })),
})

const AssetMetadataRef = builder.objectRef<Token>('AssetMetadata').implement({
  description: 'A token, or the unit of a base that is not a token.',
  fields: fieldsOf(() => ({
    name: nonNull.string('The name.'),
    symbol: nonNull.string('The symbol.'),
    decimals: nonNull.int('The decimals.'),
    tokenStandard: nonNull.string('The standard: `ERC20`, or `NONE` for what is not a token.'),
    coinGeckoId: nullable.string('The id at CoinGecko. Null if it is not known.'),
  })),
})

const UserPositionRef = builder.objectRef<UserPosition>('UserPosition').implement({
  interfaces: [ChainRowRef],
  description: 'The shares of one account in a vault on one chain.',
  fields: fieldsOf(() => ({
    vaultAddress: nonNull.address(
      'The address of the vault, which is also the token of its shares.',
    ),
    chainId: nonNull.int('The chain id.'),
    shareBalance: nonNull.amount('The number of shares, in base units.', {
      extensions: amountOf('vaultAddress'),
    }),
    positionValueInBase: nonNull.string(
      'The value of the shares, rounded down, in whole base tokens with all their decimals.',
    ),
    baseAssetAddress: nonNull
      .address('The base token of the vault.')
      .by(({ base }) => base.address),
    exchangeRateToBase: nonNull.string(
      'The price of one whole share, in whole base tokens with all their decimals.',
    ),
    costBasis: nullable.string(
      'What the shares cost (average cost), rounded down, in whole base tokens with all their decimals. Null while the index of the chain is older than this field.',
    ),
    realisedEarnings: nullable.string(
      'What the shares that left were worth, less their cost, rounded toward 0, in whole base tokens with all their decimals. Negative for a loss. Null where `costBasis` is null.',
    ),
    unrealisedEarnings: nullable.string(
      '`positionValueInBase` less `costBasis`. Negative for a loss. Null where `costBasis` is null.',
    ),
    hasTransferredShares: nullable.boolean(
      'Whether shares ever came by a transfer: their cost is what they were worth then. Null where `costBasis` is null.',
    ),
    valueUsd: nullable
      .of(
        UsdValueRef,
        'The value in USD. Null for a base token without a price feed, and while its feed has no price that is young enough.',
      )
      .by(({ base, positionValue }, context) => valueInUsd(context, base, positionValue)),
    assetMetadata: nonNull
      .of(AssetMetadataRef, 'The base token of the vault.')
      .by(({ base }) => base),
  })),
})

const UserPositionPageRef = pageRef<UserPositionPage>('UserPositionPage', {
  description: 'A page of positions, sorted by chain and vault.',
  fields: { userPositions: nonNull.of([UserPositionRef], 'The positions.') },
  tokens: {
    description:
      'The base tokens and the shares on this page. A base that is not a token has `token_standard` NONE.',
    of: ({ userPositions }) => positionShares(userPositions),
    known: ({ userPositions }) => userPositions.map(({ base }) => base),
  },
})

listField('userPositions', {
  type: UserPositionPageRef,
  reads: 'chains',
  description:
    'The positions of a user: one for each vault that takes deposits, even without shares, and one for each deprecated vault with shares.',
  args: {
    userAddress: required.address('The account that holds the shares.'),
    ...listArguments(DEPLOYMENT_FILTER_KEYS),
  },
  query: userPositionQuery,
  list: listUserPositions,
})
