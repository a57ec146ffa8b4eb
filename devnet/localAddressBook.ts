import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import type { Deployment } from './deployment.ts'
import {
  CONVERSION_RATE_HUNDREDTHS_BPS,
  EXECUTION_GAS,
  type FeedName,
  MIN_ORDER_UNITS,
  MULTICALL3,
  PLANNED_CHAINS,
  PLANNED_FEEDS,
  PLANNED_ROUTES,
  PLANNED_TOKENS,
  TRANSIT_CHAIN_IDS,
} from './plan.ts'

/** The local world in the format that every environment uses, restricted to these chains. */
export function localAddressBook(
  { tokens, station, feeds }: Deployment,
  chainIds: number[],
): AddressBookFile {
  const chains = PLANNED_CHAINS.filter(({ id }) => chainIds.includes(id))
  const feed = (chainId: number, name: FeedName) => ({
    chainId,
    address: feeds[name],
    maxAgeSeconds: PLANNED_FEEDS[name].maxAgeSeconds,
  })
  return {
    environment: 'DEVELOPMENT',
    chains: chains.map((chain) => ({
      ...chain,
      blockTimeSeconds: 1,
      multicall3: MULTICALL3,
      ...(TRANSIT_CHAIN_IDS.includes(chain.id)
        ? {
            transitStation: { address: station, startBlock: 0 },
            transitFill: { gas: EXECUTION_GAS, nativeUsdFeed: feed(chain.id, 'native') },
          }
        : {}),
    })),
    tokens: chains.flatMap(({ id }) =>
      PLANNED_TOKENS.map((token) => ({
        chainId: id,
        address: tokens[token.symbol],
        name: token.name,
        symbol: token.symbol,
        decimals: token.decimals,
        smartDepositMinimum: String(10n ** BigInt(token.decimals - 2)),
        ...(TRANSIT_CHAIN_IDS.includes(id) ? { usdFeed: feed(id, 'dollar') } : {}),
        ...('coinGeckoId' in token ? { coinGeckoId: token.coinGeckoId } : {}),
      })),
    ),
    transitRoutes: PLANNED_ROUTES.filter(
      ([source, destination]) => chainIds.includes(source) && chainIds.includes(destination),
    ).map(([sourceChainId, destinationChainId, offer, want]) => ({
      sourceChainId,
      destinationChainId,
      offerAsset: tokens[offer],
      wantAsset: tokens[want],
      minOrderSize: String(
        BigInt(MIN_ORDER_UNITS) *
          10n ** BigInt(PLANNED_TOKENS.find(({ symbol }) => symbol === offer)?.decimals ?? 0),
      ),
      conversionRateHundredthsBps: CONVERSION_RATE_HUNDREDTHS_BPS,
    })),
  }
}
