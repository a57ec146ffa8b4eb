import { parseAbi } from 'abitype'

/** `A` (before the 2026 upgrade): a state of 10 words. `B`: of 12, with the highest rate and the performance fee. */
export const ACCOUNTANT_GENERATIONS = ['A', 'B'] as const

const COMMON = [
  'function vault() view returns (address)',
  'function base() view returns (address)',
  'function decimals() view returns (uint8)',
  'function authority() view returns (address)',
  'function getRate() view returns (uint256 rate)',
  'function getRateSafe() view returns (uint256 rate)',
  'function getRateInQuote(address quote) view returns (uint256 rateInQuote)',
  'function getRateInQuoteSafe(address quote) view returns (uint256 rateInQuote)',
  'function rateProviderData(address) view returns (bool isPeggedToBase, address rateProvider)',
  'event ExchangeRateUpdated(uint96 oldRate, uint96 newRate, uint64 currentTime)',
  'event RateProviderUpdated(address asset, bool isPegged, address rateProvider)',
  'event FeesClaimed(address indexed feeAsset, uint256 amount)',
  'event Paused()',
  'event Unpaused()',
  'error AccountantWithRateProviders__Paused()',
] as const

/** AccountantWithRateProviders: the rate of a share in the base and in every asset. */
export const accountantAbi = parseAbi([
  ...COMMON,
  'function accountantState() view returns (address payoutAddress, uint128 feesOwedInBase, uint128 totalSharesLastUpdate, uint96 exchangeRate, uint96 highestExchangeRate, uint16 allowedExchangeRateChangeUpper, uint16 allowedExchangeRateChangeLower, uint64 lastUpdateTimestamp, bool isPaused, uint32 minimumUpdateDelayInSeconds, uint16 managementFee, uint16 performanceFee)',
  'event ManagementFeesAccrued(uint256 managementFees)',
  'event PerformanceFeesAccrued(uint256 performanceFees)',
])

/** Generation A. Not verified against its bytecode. */
export const accountantAAbi = parseAbi([
  ...COMMON,
  'function accountantState() view returns (address payoutAddress, uint128 feesOwedInBase, uint128 totalSharesLastUpdate, uint96 exchangeRate, uint16 allowedExchangeRateChangeUpper, uint16 allowedExchangeRateChangeLower, uint64 lastUpdateTimestamp, bool isPaused, uint32 minimumUpdateDelayInSeconds, uint16 managementFee)',
])
