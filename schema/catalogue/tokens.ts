import {
  type ListedToken,
  listTokens,
  type TokenPage,
  tokenQuery,
} from '../../domain/catalogue/listTokens.ts'
import type { FeedPrice } from '../../domain/price/priceFeeds.ts'
import { wholeUnits } from '../../domain/token/wholeUnits.ts'
import { builder } from '../builder.ts'
import { ChainRowRef } from '../chainRow.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { ProductRef } from './product.ts'

const TokenPriceRef = builder.objectRef<FeedPrice>('TokenPrice').implement({
  description: 'A price in USD, from the price feed of the token.',
  fields: fieldsOf(() => ({
    amount: nonNull
      .string('USD per whole token, with all decimals of the feed.')
      .by(({ answer, decimals }) => wholeUnits(answer, decimals)),
    updatedAt: nonNull
      .dateTime('When the feed set this price.')
      .by(({ updatedAt }) => new Date(updatedAt * 1_000)),
  })),
})

const TokenRef = builder.objectRef<ListedToken>('Token').implement({
  interfaces: [ChainRowRef],
  description: 'A token that this service knows.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain id.'),
    address: nonNull.address('The address of the token.'),
    name: nonNull.string('The name of the token.'),
    symbol: nonNull.string('The symbol of the token.'),
    decimals: nonNull.int('The decimals of the token: one whole token is 10^decimals base units.'),
    tokenStandard: nonNull.string('The standard: `ERC20`.'),
    coinGeckoId: nullable.string('The id of the token at CoinGecko. Null if it is not known.'),
    permit: nullable.boolean(
      'Whether the token takes permits (EIP-2612), so that a user need not send an approval. Null while the chain has not answered.',
    ),
    usedIn: nonNull.of([ProductRef], 'The products in which the token can be used on this chain.'),
    priceUsd: nullable.of(
      TokenPriceRef,
      'The price in USD. Null for a token without a price feed, and while its feed has no price that is young enough.',
    ),
  })),
})

const TokenPageRef = pageRef<TokenPage>('TokenPage', {
  description: 'A page of tokens, sorted by chain and address.',
  fields: { tokens: nonNull.of([TokenRef], 'The tokens.') },
})

listField('tokens', {
  type: TokenPageRef,
  reads: 'chains',
  description:
    'Every token of this service, with its price and where it can be used. A silent node leaves out no row: `permit` and `priceUsd` are then the last known ones (`stale`), or null.',
  query: tokenQuery,
  list: listTokens,
})
