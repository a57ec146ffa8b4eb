import { parseAbi } from 'abitype'

/** The functions of a Chainlink-style aggregator that the service reads. */
export const priceFeedAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])
