import { parseAbi } from 'viem'

/** Says what a whole unit of an asset is worth in a vault's base, in the asset's decimals. */
export const rateProviderAbi = parseAbi(['function getRate() view returns (uint256 rate)'])
