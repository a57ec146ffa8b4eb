/** Errors of vaults that changed between the reading of the chain and the try of the call. */
const LASTING_REVERTS = new Set([
  'TellerWithMultiAssetSupport__AssetNotSupported',
  'TellerWithMultiAssetSupport__ZeroShares',
  'SupplyCapError',
  'SupplyCapInBaseError',
  'FeesExceedOrEqualAmount',
  'FeesExceedOrEqualShares',
])

/** Whether a vault that reverts a prepared deposit with this error will not take it later either. */
export function isLastingRevert(errorName: string): boolean {
  return LASTING_REVERTS.has(errorName)
}
