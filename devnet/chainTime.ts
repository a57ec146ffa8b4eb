import type { DevnetClient } from './world.ts'

/**
 * The Unix seconds that the next block has at least. The newest block of an idle chain may be minutes old, and a local chain's clock may
 * be ahead of this machine's.
 */
export async function chainTime(client: Pick<DevnetClient, 'getBlock'>): Promise<bigint> {
  const { timestamp } = await client.getBlock()
  const now = BigInt(Math.floor(Date.now() / 1_000))
  return timestamp > now ? timestamp : now
}
