import { type FeedContext, recordChainEvents } from '../../worker/feed/recordChainEvents.ts'

/** One pass over each of these chains, one after the other. Returns the number of events. */
export async function passOverChains(context: FeedContext, chainIds: readonly number[]) {
  let events = 0
  for (const chainId of chainIds) events += (await recordChainEvents(context, chainId))?.events ?? 0
  return events
}
