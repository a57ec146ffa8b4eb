import { keccak256, toHex } from 'viem'
import type { ReplayLog } from './replayNode.ts'
import type { SeededRandom } from './seededRandom.ts'
import { type VaultSite, vaultStory } from './vaultStory.ts'

type HistoryOptions = { chainId: number; sites: VaultSite[]; lastBlock: number }

/**
 * The logs of some vaults of one chain: a few actions in a third of its blocks, each in its own
 * transaction, after the other transactions of the block.
 */
export function vaultHistory(
  random: SeededRandom,
  { chainId, sites, lastBlock }: HistoryOptions,
  others: ReplayLog[],
): ReplayLog[] {
  const stories = sites.map((site) => vaultStory(random, site))
  const logs: ReplayLog[] = []
  for (let block = 1; block <= lastBlock; block += 1) {
    const there = others.filter(({ blockNumber }) => blockNumber === block)
    let transactionIndex = Math.max(-1, ...there.map((log) => log.transactionIndex))
    let logIndex = Math.max(-1, ...there.map((log) => log.logIndex))
    for (let deeds = random.chance(0.35) ? random.integer(1, 4) : 0; deeds > 0; deeds -= 1) {
      transactionIndex += random.integer(1, 2)
      const { value: sayings = [] } = stories[random.integer(0, stories.length - 1)]?.next() ?? {}
      for (const { emitter: address, topics, data } of sayings) {
        logIndex += random.integer(1, 3)
        logs.push({
          chainId,
          blockNumber: block,
          transactionIndex,
          logIndex,
          address,
          topics,
          data,
          transactionHash: keccak256(toHex(`${chainId} ${block} vault ${transactionIndex}`)),
        })
      }
    }
  }
  return logs
}
