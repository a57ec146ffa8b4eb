import { parseAbi } from 'abitype'

/** A vault's fee modules: one rate for all assets, or a rate and a flat fee per asset. */
export const feeModuleAbi = parseAbi([
  'function calculateOfferFees(uint256 amount, address offerAsset, address wantAsset, address receiver) view returns (uint256 feeAmount)',
  'function offerFeePercentage() view returns (uint256)',
  'function withdrawTokenFeeData(address) view returns (uint256 feePercentage, uint256 flatFee)',
  'function depositTokenFeeData(address) view returns (uint256 feePercentage, uint256 flatFee)',
  'event FeeDataUpdated(address indexed token, uint256 feePercentage, uint256 flatFee)',
])
