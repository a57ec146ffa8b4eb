import { createKeptReads, type Known, oldestOf } from '../../cache/keptReads.ts'
import type { ChainReading } from '../../chain/chainReading.ts'
import { gasCost, type UsdPrice } from '../../price/gasCost.ts'
import type { PriceFeeds } from '../../price/priceFeeds.ts'
import type { UsdPricing } from '../priceOrder.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'

export type ExecutionCosts = {
  /**
   * The cost of an execution on this route now, from a gas price and feeds at most 10 s old, with the
   * rest of the route's pricing. Throws `RPC_UNAVAILABLE`, and `PRICE_UNAVAILABLE` for a stale or empty
   * feed.
   */
  pricing(resolved: ResolvedRoute): Promise<UsdPricing>
  /** The same for lists: made from last answers while a chain is late. */
  lastKnown(resolved: ResolvedRoute): Promise<Known<UsdPricing>>
}

/** The age up to which the destination's gas price is used. */
const LIFE_MS = 10_000

type Reading = ChainReading & { priceFeeds: PriceFeeds }

export function createExecutionCosts({ chains, store, priceFeeds }: Reading): ExecutionCosts {
  const gasPrices = createKeptReads(
    store,
    { name: 'gas_prices', keyOf: String, lifeMs: LIFE_MS },
    (chainId: number) => chains.read(chainId, (client) => client.getGasPrice()),
  )

  return {
    async pricing(resolved) {
      const { destination, offered } = resolved
      const [gasPrice, nativeUsd, offerUsd] = await Promise.all([
        gasPrices.get(destination.chainId),
        priceFeeds.price(destination.execution.nativeUsdFeed),
        priceFeeds.price(offered.usdFeed),
      ])
      return toPricing(resolved, { gasPrice, nativeUsd, offerUsd })
    },
    async lastKnown(resolved) {
      const { destination, offered } = resolved
      const [gasPrice, nativeUsd, offerUsd] = await Promise.all([
        gasPrices.lastKnown(destination.chainId),
        priceFeeds.lastKnown(destination.execution.nativeUsdFeed),
        priceFeeds.lastKnown(offered.usdFeed),
      ])
      const values = {
        gasPrice: gasPrice.value,
        nativeUsd: nativeUsd.value,
        offerUsd: offerUsd.value,
      }
      return {
        value: toPricing(resolved, values),
        ...oldestOf(gasPrice, nativeUsd, offerUsd),
      }
    },
  }
}

type Prices = { gasPrice: bigint; nativeUsd: UsdPrice; offerUsd: UsdPrice }

function toPricing(
  { route, destination, offered, wanted }: ResolvedRoute,
  { gasPrice, nativeUsd, offerUsd }: Prices,
): UsdPricing {
  return {
    conversionRateHundredthsBps: route.conversionRateHundredthsBps,
    fillCostFee: gasCost({
      gas: BigInt(destination.execution.gas),
      gasPrice,
      nativeUsd,
      tokenUsd: offerUsd,
      tokenDecimals: offered.decimals,
    }),
    offerUsd,
    offerDecimals: offered.decimals,
    wantDecimals: wanted.decimals,
  }
}
