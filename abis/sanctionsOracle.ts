import { parseAbi } from 'abitype'

/** A screening provider's list of accounts that may not be paid. */
export const sanctionsOracleAbi = parseAbi([
  'function isSanctioned(address addr) view returns (bool)',
])
