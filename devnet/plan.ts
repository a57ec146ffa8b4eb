/** The contents of the local world except its users, as data for deployWorld. */

export type PlannedToken = {
  contract: 'PermitToken' | 'BlacklistToken' | 'ResettingToken' | 'PlainToken'
  name: string
  symbol: string
  decimals: number
  /** The version in the domain of its permit, if it is not the usual one. */
  version?: string
  coinGeckoId?: string
}

/** In order of deployment: the order decides the addresses. */
export const PLANNED_TOKENS = [
  {
    contract: 'BlacklistToken',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    coinGeckoId: 'usd-coin',
  },
  {
    contract: 'ResettingToken',
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    coinGeckoId: 'tether',
  },
  { contract: 'PermitToken', name: 'Global Dollar', symbol: 'USDG', decimals: 6, version: '1' },
  {
    contract: 'PermitToken',
    name: 'USDS Stablecoin',
    symbol: 'USDS',
    decimals: 18,
    version: '1',
    coinGeckoId: 'usds',
  },
  { contract: 'PlainToken', name: 'Plain Dollar', symbol: 'USDP', decimals: 18 },
] as const satisfies PlannedToken[]

export type TokenSymbol = (typeof PLANNED_TOKENS)[number]['symbol']

/** The explorers are those of the networks that the local chains stand for: they know no local transaction. */
export const PLANNED_CHAINS = [
  {
    id: 1,
    name: 'Ethereum',
    eid: 30101,
    finalityDepth: 65,
    explorerUrl: 'https://etherscan.io',
  },
  {
    id: 4663,
    name: 'Robinhood Chain',
    eid: 30416,
    finalityDepth: 30,
    explorerUrl: 'https://robinhoodchain.blockscout.com',
  },
  { id: 8453, name: 'Base', eid: 30184, finalityDepth: 30, explorerUrl: 'https://basescan.org' },
  {
    id: 999,
    name: 'HyperEVM',
    eid: 30367,
    finalityDepth: 30,
    explorerUrl: 'https://hyperevmscan.io',
  },
  {
    id: 2201,
    name: 'Chain 2201',
    finalityDepth: 30,
    explorerUrl: 'https://testnet.stablescan.xyz',
  },
  {
    id: 11155111,
    name: 'Sepolia',
    eid: 40161,
    finalityDepth: 65,
    explorerUrl: 'https://sepolia.etherscan.io',
  },
] as const

/** The chains that have a station and an endpoint. */
export const TRANSIT_CHAIN_IDS: number[] = [1, 4663]

/** The chains whose smart deposits are screened by a sanctions oracle; the others have none. */
export const SCREENED_CHAIN_IDS: number[] = [1, 8453, 11155111]

type PlannedRoute = [source: number, destination: number, offer: TokenSymbol, want: TokenSymbol]

export const PLANNED_ROUTES: PlannedRoute[] = [
  [1, 4663, 'USDC', 'USDG'],
  [1, 4663, 'USDT', 'USDG'],
  [1, 4663, 'USDG', 'USDG'],
  [1, 4663, 'USDS', 'USDG'],
  [1, 4663, 'USDP', 'USDG'],
  [4663, 1, 'USDG', 'USDC'],
  [4663, 1, 'USDG', 'USDT'],
  [4663, 1, 'USDG', 'USDG'],
  [4663, 1, 'USDG', 'USDS'],
  [1, 1, 'USDC', 'USDG'],
  [1, 1, 'USDT', 'USDC'],
  [1, 1, 'USDC', 'USDS'],
  [4663, 4663, 'USDC', 'USDG'],
]

/** Five bps. */
export const CONVERSION_RATE_HUNDREDTHS_BPS = 500
/** In whole units of the offer asset. */
export const MIN_ORDER_UNITS = 1
export const MESSAGE_GAS_LIMIT = 400_000n
/** Gas of one execution, as measured on the deployed contracts. */
export const EXECUTION_GAS = 130_000

/** In order of deployment. Prices with the 8 decimals of a feed. */
export const PLANNED_FEEDS = {
  native: { description: 'ETH / USD', answer: 2_500n * 10n ** 8n, maxAgeSeconds: 3_900 },
  dollar: { description: 'Dollar / USD', answer: 10n ** 8n, maxAgeSeconds: 90_000 },
} as const
export type FeedName = keyof typeof PLANNED_FEEDS

/** In whole units: each user's balance of each token on each chain. The vault holds a multiple. */
export const USER_UNITS = 1_000_000n
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
