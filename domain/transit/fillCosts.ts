import { priceFeedAbi } from '../../abis/priceFeed.ts'
import type {
  AddressBook,
  AddressBookToken,
  PriceFeed,
  TransitRoute,
} from '../addressBook/addressBook.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { createSharedReads } from '../chain/sharedReads.ts'
import { ServiceError } from '../error/serviceError.ts'
import { fillCostFee, type OrderPricing, type UsdPrice } from './priceOrder.ts'

export type FillCosts = {
  /**
   * What an order of this route costs to fill now, from gas price and feeds at most 10 s old, with all
   * else that prices it. Throws `RPC_UNAVAILABLE`, and `PRICE_UNAVAILABLE` for a stale or empty feed.
   */
  pricing(route: TransitRoute): Promise<OrderPricing>
}

/** interface.md: the destination's gas price and the feeds may be so old. */
const LIFE_MS = 10_000

export function createFillCosts(book: AddressBook, chains: ChainClients): FillCosts {
  const gasPrices = createSharedReads({ max: 1_000, lifeMs: LIFE_MS }, (chainId: number) =>
    chains.read(chainId, (client) => client.getGasPrice()),
  )
  const feeds = new Map(allFeeds(book).map((feed) => [keyOf(feed), feed]))
  const prices = createSharedReads({ max: 10_000, lifeMs: LIFE_MS }, (key: string) => {
    const feed = feeds.get(key)
    if (!feed) throw new Error(`Invariant(fillCosts): no feed ${key}`)
    return readPrice(chains, feed)
  })
  // An answer may become stale while it is kept.
  const price = async (feed: PriceFeed) => freshPrice(feed, await prices.get(keyOf(feed)))

  return {
    async pricing(route) {
      const fill = book.chains.find(({ id }) => id === route.destinationChainId)?.transitFill
      const offered = tokenOf(book, route.sourceChainId, route.offerAsset)
      const wanted = tokenOf(book, route.destinationChainId, route.wantAsset)
      if (!fill || !offered.usdFeed) throw new Error('Invariant(fillCosts): a route without prices')
      const [gasPrice, nativeUsd, offerUsd] = await Promise.all([
        gasPrices.get(route.destinationChainId),
        price(fill.nativeUsdFeed),
        price(offered.usdFeed),
      ])
      return {
        conversionRateHundredthsBps: route.conversionRateHundredthsBps,
        fillCostFee: fillCostFee({
          ...{ gas: BigInt(fill.gas), gasPrice, nativeUsd, offerUsd },
          offerDecimals: offered.decimals,
        }),
        offerDecimals: offered.decimals,
        wantDecimals: wanted.decimals,
      }
    },
  }
}

type FeedAnswer = UsdPrice & { updatedAt: number }

async function readPrice(
  chains: ChainClients,
  { chainId, address }: PriceFeed,
): Promise<FeedAnswer> {
  const feed = { address, abi: priceFeedAbi } as const
  const [round, decimals] = await chains.read(chainId, (client) =>
    Promise.all([
      client.readContract({ ...feed, functionName: 'latestRoundData' }),
      client.readContract({ ...feed, functionName: 'decimals' }),
    ]),
  )
  return { answer: round[1], decimals, updatedAt: Number(round[3]) }
}

function freshPrice(feed: PriceFeed, { answer, decimals, updatedAt }: FeedAnswer): UsdPrice {
  const age = Date.now() / 1_000 - updatedAt
  if (answer > 0n && age <= feed.maxAgeSeconds) return { answer, decimals }
  const { chainId, address } = feed
  throw new ServiceError(
    'PRICE_UNAVAILABLE',
    `The price feed ${address} of chain ${chainId} has no answer of the last ${feed.maxAgeSeconds} s`,
    {
      metadata: { chainId: String(chainId), feed: address, updatedAt: String(updatedAt) },
      retryAfterSeconds: 10,
    },
  )
}

function allFeeds(book: AddressBook): PriceFeed[] {
  return [
    ...book.chains.flatMap(({ transitFill }) => transitFill?.nativeUsdFeed ?? []),
    ...book.tokens.flatMap(({ usdFeed }) => usdFeed ?? []),
  ]
}

function keyOf({ chainId, address }: PriceFeed): string {
  return `${chainId}:${address}`
}

function tokenOf(book: AddressBook, chainId: number, address: string): AddressBookToken {
  const token = book.tokens.find((entry) => entry.chainId === chainId && entry.address === address)
  if (!token) throw new Error(`Invariant(fillCosts): no token ${address} on chain ${chainId}`)
  return token
}
