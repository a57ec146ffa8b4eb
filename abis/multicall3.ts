import { parseAbi } from 'viem'

/** What the service reads of Multicall3 itself. */
export const multicall3Abi = parseAbi([
  'function getCurrentBlockTimestamp() view returns (uint256 timestamp)',
])
