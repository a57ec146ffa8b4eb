import { formatUnits } from 'viem'
import { ServiceError } from '../../error/serviceError.ts'
import type { UsdPrice } from '../../price/gasCost.ts'
import type { PriceFeeds } from '../../price/priceFeeds.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { PricedToken, ResolvedRoute } from '../routes/resolvedRoutes.ts'

const BPS = 10_000n

/**
 * Throws `PRICE_OUT_OF_BAND` if the feed of either asset of a route is further from 1 USD than the address
 * book allows; `PRICE_UNAVAILABLE` or `RPC_UNAVAILABLE` without a price.
 */
export async function refuseOutOfBand(
  priceFeeds: PriceFeeds,
  { offered, wanted }: ResolvedRoute,
): Promise<void> {
  const assets = [offered, wanted]
  const prices = await Promise.all(assets.map(({ usdFeed }) => priceFeeds.price(usdFeed)))
  for (const [index, price] of prices.entries()) {
    const asset = assets[index]
    if (asset && !isInBand(price, asset.usdBandBps)) throw outOfBand(asset, price)
  }
}

/** Whether a price is at most this many basis points from 1 USD. */
export function isInBand({ answer, decimals }: UsdPrice, bandBps: number): boolean {
  const dollar = 10n ** BigInt(decimals)
  const distance = answer > dollar ? answer - dollar : dollar - answer
  return distance * BPS <= dollar * BigInt(bandBps)
}

function outOfBand({ chainId, address, symbol, usdBandBps }: PricedToken, price: UsdPrice) {
  const usd = formatUnits(price.answer, price.decimals)
  return new ServiceError(
    'PRICE_OUT_OF_BAND',
    `${symbol} of chain ${chainId} is at ${usd} USD, which is more than ${usdBandBps} bps from 1 USD`,
    {
      metadata: {
        asset: checksummed(address),
        chainId: String(chainId),
        priceUsd: usd,
        bandBps: String(usdBandBps),
      },
      retryAfterSeconds: 30,
    },
  )
}
