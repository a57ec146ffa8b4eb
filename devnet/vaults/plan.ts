import type { AddressBookVault } from '../../domain/addressBook/addressBook.ts'
import type { TokenSymbol } from '../plan.ts'

/** The vaults of the local world: data that deployVaults deploys. */

type FeeData = { bps: bigint; flat: bigint }

type PlannedAsset = {
  token: TokenSymbol | 'WETH'
  /** The value of a whole unit in the base, in the asset's decimals; absent if it is pegged. */
  rate?: bigint
  isAttested?: true
  isClosedForDeposits?: true
  /** Both parts in the asset; with `fees: 'per asset'`. */
  depositFee?: FeeData
  /** The flat part in the asset; with `fees: 'per asset'`. */
  withdrawFee?: FeeData
}

export type PlannedVault = {
  name: string
  symbol: string
  yieldType: AddressBookVault['yieldType']
  chainIds: number[]
  base:
    | { token: TokenSymbol | 'WETH' }
    | { name: string; standIn: { symbol: string; decimals: number; coinGeckoId?: string } }
  /** The decimals of the base and of the shares. */
  decimals: number
  assets: PlannedAsset[]
  /** `A` is the older one, without attestations, deposit fees and caps. */
  generation: 'A' | 'HEAD'
  /** The chain on which all contracts but the vault itself were of generation A before. */
  upgradedOn?: number
  /** One fee for withdrawals of all assets, in bps, or a fee for each asset. */
  fees: bigint | 'per asset'
  /** Base units. */
  supplyCap?: bigint
  hasFreezeHook?: true
  /** Share units. */
  minimumOrderSize: bigint
  managementFeeBps: number
  performanceFeeBps: number
  inDeprecation?: true
}

const ETHER = 10n ** 18n

/** In order of deployment on each chain: the order decides the addresses. */
export const PLANNED_VAULTS: PlannedVault[] = [
  {
    name: 'Harbor Ether',
    symbol: 'hETH',
    yieldType: 'CORE',
    chainIds: [1, 8453],
    base: { token: 'WETH' },
    decimals: 18,
    assets: [{ token: 'WETH' }],
    generation: 'HEAD',
    upgradedOn: 1,
    fees: 0n,
    minimumOrderSize: 10n ** 15n,
    managementFeeBps: 100,
    performanceFeeBps: 1_000,
  },
  {
    name: 'Harbor Prime',
    symbol: 'hPRIME',
    yieldType: 'PRIME',
    chainIds: [1, 11_155_111],
    base: { token: 'USDS' },
    decimals: 18,
    assets: [
      {
        token: 'USDC',
        isAttested: true,
        depositFee: { bps: 5n, flat: 500_000n },
        withdrawFee: { bps: 10n, flat: 50_000n },
      },
      {
        token: 'USDS',
        isAttested: true,
        depositFee: { bps: 5n, flat: ETHER / 2n },
        withdrawFee: { bps: 10n, flat: ETHER / 20n },
      },
      { token: 'USDG' },
    ],
    generation: 'HEAD',
    fees: 'per asset',
    supplyCap: 5_000_000n * ETHER,
    hasFreezeHook: true,
    minimumOrderSize: 10n ** 15n,
    managementFeeBps: 100,
    performanceFeeBps: 1_000,
  },
  {
    name: 'Harbor Gold',
    symbol: 'hXAU',
    yieldType: 'FRONTIER',
    chainIds: [999],
    base: { name: 'Gold', standIn: { symbol: 'XAU', decimals: 18, coinGeckoId: 'pax-gold' } },
    decimals: 18,
    assets: [
      { token: 'USDS', rate: ETHER / 4_000n },
      { token: 'USDC', rate: 250n },
    ],
    generation: 'HEAD',
    fees: 0n,
    minimumOrderSize: 10n ** 12n,
    managementFeeBps: 50,
    performanceFeeBps: 0,
  },
  {
    name: 'Harbor Dollar',
    symbol: 'hUSD',
    yieldType: 'TREASURY',
    chainIds: [1, 8453, 2201],
    base: { token: 'USDG' },
    decimals: 6,
    assets: [{ token: 'USDG' }, { token: 'USDC' }, { token: 'USDT' }],
    generation: 'HEAD',
    fees: 10n,
    minimumOrderSize: 5_000_000n,
    managementFeeBps: 50,
    performanceFeeBps: 500,
  },
  {
    name: 'Harbor Classic',
    symbol: 'hOLD',
    yieldType: 'LENDING',
    chainIds: [1],
    base: { token: 'USDC' },
    decimals: 6,
    assets: [{ token: 'USDC' }, { token: 'USDT' }],
    generation: 'A',
    fees: 10n,
    minimumOrderSize: 5_000_000n,
    managementFeeBps: 100,
    performanceFeeBps: 0,
  },
  {
    name: 'Harbor Sunset',
    symbol: 'hSUN',
    yieldType: 'TBILL',
    chainIds: [11_155_111],
    base: { token: 'USDG' },
    decimals: 6,
    assets: [{ token: 'USDG' }, { token: 'USDC', isClosedForDeposits: true }],
    generation: 'HEAD',
    fees: 0n,
    minimumOrderSize: 5_000_000n,
    managementFeeBps: 0,
    performanceFeeBps: 0,
    inDeprecation: true,
  },
]

/** The policy that attesters sign for, the same for all vaults. */
export const POLICY_ID = 'causeway-devnet'
/** In bps of the previous rate. An update beyond the bounds, or too early, pauses the accountant. */
export const RATE_BOUNDS_BPS = { upper: 10_100, lower: 9_900 }
export const RATE_DELAY_SECONDS = 5

/** The operator's promises for each asset, in seconds. */
export const WITHDRAWAL_SLAS = {
  expectedDelay: 3_600,
  expiryBuffer: 600,
  internalWithdrawalQueueDelaySLA: 86_400,
  externalWithdrawalQueueDelaySLA: 259_200,
  internalAccountantRateUpdateDelaySLA: 86_400,
  externalAccountantRateUpdateSLA: 172_800,
}
