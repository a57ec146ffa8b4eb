import type { AddressBookToken, PriceFeed } from '../addressBook/addressBook.ts'
import type { Known } from '../cache/keptReads.ts'
import { ageOfRow, INDEXED, knownOrNull, type RowAge } from '../chain/chainRows.ts'
import type { RequestScope } from '../context.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import type { Page } from '../page/pageOfRows.ts'
import type { FeedPrice } from '../price/priceFeeds.ts'
import type { CatalogueServices } from './catalogueContext.ts'
import { type Product, usesOfToken } from './offers.ts'

type TokenFields = 'chainId' | 'address' | 'name' | 'symbol' | 'decimals' | 'tokenStandard'

/** A token of the address book. Its address is lower case. */
export type ListedToken = RowAge &
  Pick<AddressBookToken, TokenFields> & {
    coinGeckoId: string | null
    usedIn: Product[]
    /** Whether it takes EIP-2612 permits; null while its chain has not answered. */
    permit: boolean | null
    /** Null without a feed, and while the feed has no price. */
    priceUsd: FeedPrice | null
  }

export type TokenPage = Page<'tokens', ListedToken>

type Context = CatalogueServices & Pick<RequestScope, 'degraded'>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const tokenQuery = listQuery({
  list: 'tokens',
  keys: {
    chainId: { type: 'integer' },
    address: { type: 'address' },
    symbol: { type: 'string' },
  },
})

/**
 * The tokens of the address book, by chain and address. No chain is needed for a row: `permit` and `priceUsd` are
 * the last known ones while nodes do not answer, and null where there are none. The chain is then degraded. Throws
 * the errors of `tokenQuery`.
 */
export async function listTokens(context: Context, params: ListParams): Promise<TokenPage> {
  const query = tokenQuery(context, params)
  const rows = context.addressBook.tokens.filter(({ chainId, address, symbol }) =>
    matchesFilter(query.filter, { chainId, address, symbol }),
  )
  const page = pageInMemory(context, query, {
    name: 'tokens',
    rows,
    place: ({ chainId, address }) => [chainId, address],
  })
  return {
    ...page,
    tokens: await Promise.all(page.tokens.map((token) => readToken(context, token))),
  }
}

async function readToken(context: Context, token: AddressBookToken): Promise<ListedToken> {
  const { chainId, address, name, symbol, decimals, tokenStandard, coinGeckoId } = token
  const [permit, price] = await Promise.all([
    knownOrNull(context, chainId, context.tokenPermits.lastKnown(token)),
    token.usdFeed ? readPrice(context, token.usdFeed) : null,
  ])
  const read = [permit, price].filter((known) => known !== null)
  return {
    chainId,
    address,
    name,
    symbol,
    decimals,
    tokenStandard,
    coinGeckoId: coinGeckoId ?? null,
    usedIn: usesOfToken(context.addressBook, chainId, address),
    permit: permit?.value ?? null,
    priceUsd: price?.value ?? null,
    ...(read.length > 0 ? ageOfRow(...read) : INDEXED),
  }
}

function readPrice(context: Context, feed: PriceFeed): Promise<Known<FeedPrice> | null> {
  return knownOrNull(context, feed.chainId, context.priceFeeds.lastKnown(feed))
}
