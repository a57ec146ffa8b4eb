import { parseAbi } from 'abitype'

/** The functions of Multicall3 that the service calls directly. */
export const multicall3Abi = parseAbi([
  'function getCurrentBlockTimestamp() view returns (uint256 timestamp)',
])
