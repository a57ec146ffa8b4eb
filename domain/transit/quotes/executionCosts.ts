import type { ChainClients } from '../../chain/chainClients.ts'
import { type Clock, createSharedReads } from '../../chain/sharedReads.ts'
import { gasCost } from '../../price/gasCost.ts'
import type { PriceFeeds } from '../../price/priceFeeds.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { UsdPricing } from './priceOrder.ts'

export type ExecutionCosts = {
  /**
   * The cost of an execution on this route now, from a gas price and feeds at most 10 s old, with the
   * rest of the route's pricing. Throws `RPC_UNAVAILABLE`, and `PRICE_UNAVAILABLE` for a stale or empty
   * feed.
   */
  pricing(resolved: ResolvedRoute): Promise<UsdPricing>
}

/** The age up to which the destination's gas price is used. */
const LIFE_MS = 10_000

type Reading = { chains: ChainClients; priceFeeds: PriceFeeds; clock?: Clock | undefined }

export function createExecutionCosts({ chains, priceFeeds, clock }: Reading): ExecutionCosts {
  const gasPrices = createSharedReads(
    { name: 'gas_prices', keyOf: String, max: 1_000, lifeMs: LIFE_MS, clock },
    (chainId: number) => chains.read(chainId, (client) => client.getGasPrice()),
  )

  return {
    async pricing({ route, destination, offered, wanted }) {
      const [gasPrice, nativeUsd, offerUsd] = await Promise.all([
        gasPrices.get(destination.chainId),
        priceFeeds.price(destination.execution.nativeUsdFeed),
        priceFeeds.price(offered.usdFeed),
      ])
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
    },
  }
}
