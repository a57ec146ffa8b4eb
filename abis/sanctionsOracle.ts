import { parseAbi } from 'viem'

/** Who may not be paid, as a screening provider publishes it on chain. */
export const sanctionsOracleAbi = parseAbi([
  'function isSanctioned(address addr) view returns (bool)',
])
