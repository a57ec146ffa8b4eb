import { parseAbi } from 'abitype'

/** Returns the value of a whole unit of an asset in a vault's base, in the asset's decimals. */
export const rateProviderAbi = parseAbi(['function getRate() view returns (uint256 rate)'])
