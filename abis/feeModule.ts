import { parseAbi } from 'viem'

/** A vault's fee modules: of one rate for all assets, or of a rate and a flat fee for each. */
export const feeModuleAbi = parseAbi([
  'function calculateOfferFees(uint256 amount, address offerAsset, address wantAsset, address receiver) view returns (uint256 feeAmount)',
  'function offerFeePercentage() view returns (uint256)',
  'function withdrawTokenFeeData(address) view returns (uint256 feePercentage, uint256 flatFee)',
  'function depositTokenFeeData(address) view returns (uint256 feePercentage, uint256 flatFee)',
  'event FeeDataUpdated(address indexed token, uint256 feePercentage, uint256 flatFee)',
])
