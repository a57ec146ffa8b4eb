import type { Address, PublicClient } from 'viem'
import { priceFeedAbi } from '../../abis/priceFeed.ts'
import { tryRead } from '../chain/gatheredReads.ts'

/** After a standstill of the sequencer, feeds still have prices from before it for this long. */
const GRACE_SECONDS = 3_600
const IS_UP = 0n

/**
 * The Unix time from which on the prices of a chain may be believed, by the uptime feed of its sequencer. Infinity while the
 * sequencer is down, or the feed does not answer.
 */
export async function readTrustedFrom(client: PublicClient, uptimeFeed: Address): Promise<number> {
  const round = await tryRead(client, {
    address: uptimeFeed,
    abi: priceFeedAbi,
    functionName: 'latestRoundData',
  })
  const [, status = null, since = 0n] = round ?? []
  // A feed that was never set has begun at no time.
  return status === IS_UP && since > 0n ? Number(since) + GRACE_SECONDS : Infinity
}
