import { parseAbi } from 'abitype'

/** `A` (before 2026-01-12): one flag per asset for both directions. `B`: one for each. */
export const TELLER_GENERATIONS = ['A', 'B'] as const

const COMMON = [
  'function isPaused() view returns (bool)',
  'function shareLockPeriod() view returns (uint64)',
  'function vault() view returns (address)',
  'function accountant() view returns (address)',
  'function authority() view returns (address)',
  'function owner() view returns (address)',
  'function deposit(address depositAsset, uint256 depositAmount, uint256 minimumMint) returns (uint256 shares)',
  'function bulkWithdraw(address withdrawAsset, uint256 shareAmount, uint256 minimumAssets, address to) returns (uint256 assetsOut)',
  'event Deposit(uint256 indexed nonce, address indexed receiver, address indexed depositAsset, uint256 depositAmount, uint256 shareAmount, uint256 depositTimestamp, uint256 shareLockPeriodAtTimeOfDeposit)',
  'event BulkWithdraw(address indexed asset, uint256 shareAmount)',
  'event DepositRefunded(uint256 indexed nonce, bytes32 depositHash, address indexed user)',
  'event Paused()',
  'event Unpaused()',
  'error TellerWithMultiAssetSupport__AssetNotSupported()',
  'error TellerWithMultiAssetSupport__ZeroAssets()',
  'error TellerWithMultiAssetSupport__MinimumMintNotMet()',
  'error TellerWithMultiAssetSupport__MinimumAssetsNotMet()',
  'error TellerWithMultiAssetSupport__ZeroShares()',
  'error TellerWithMultiAssetSupport__Paused()',
] as const

export const bulkWithdrawFragments = [
  'function bulkWithdraw(address withdrawAsset, uint256 shareAmount, uint256 minimumAssets, address to) returns (uint256 assetsOut)',
] as const

/** TellerWithMultiAssetSupport: mints and burns shares for assets. */
export const tellerAbi = parseAbi([
  ...COMMON,
  'function isDepositSupported(address) view returns (bool)',
  'function isWithdrawSupported(address) view returns (bool)',
  'function shareUnlockTime(address) view returns (uint256)',
  'event DepositAssetAdded(address indexed asset)',
  'event DepositAssetRemoved(address indexed asset)',
  'event WithdrawAssetAdded(address indexed asset)',
  'event WithdrawAssetRemoved(address indexed asset)',
])

/** Generation A. Its events are from its ABI, not verified against its bytecode. */
export const tellerAAbi = parseAbi([
  ...COMMON,
  'function isSupported(address) view returns (bool)',
  'event AssetAdded(address indexed asset)',
  'event AssetRemoved(address indexed asset)',
])
