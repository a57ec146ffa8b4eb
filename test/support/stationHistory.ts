import { type Hex, keccak256, toHex } from 'viem'
import { encodeStationLog } from './encodeStationLog.ts'
import type { StationAct } from './randomOrders.ts'
import type { ReplayLog } from './replayNode.ts'
import type { SeededRandom } from './seededRandom.ts'

export type StationHistory = { logs: ReplayLog[]; timestamps: Record<number, number> }

type HistoryOptions = { chainId: number; station: Hex; acts: StationAct[]; lastBlock: number }

/** The logs of one chain's station, calls of a block joined at random into transactions. */
export function stationHistory(random: SeededRandom, options: HistoryOptions): StationHistory {
  const { chainId, station, lastBlock } = options
  const acts = options.acts
    .filter((act) => act.chainId === chainId && act.block <= lastBlock)
    .sort((a, b) => a.block - b.block || a.rank - b.rank)
  const logs: ReplayLog[] = []
  let block = 0
  let transactionIndex = 0
  let logIndex = 0
  for (const act of acts) {
    if (act.block !== block) {
      block = act.block
      transactionIndex = 0
      logIndex = 0
    } else if (random.chance(0.6)) transactionIndex += random.integer(1, 2)
    for (const saying of act.sayings) {
      // Logs of other contracts, such as tokens, lie between.
      logIndex += random.integer(1, 4)
      logs.push({
        chainId,
        blockNumber: block,
        transactionIndex,
        logIndex,
        transactionHash: keccak256(toHex(`${chainId} ${block} ${transactionIndex}`)),
        address: station,
        ...encodeStationLog(saying),
      })
    }
  }
  return { logs, timestamps: randomTimes(random, lastBlock) }
}

/** Several blocks often share a second. */
function randomTimes(random: SeededRandom, lastBlock: number): Record<number, number> {
  let time = 1_750_000_000 + random.integer(0, 1_000)
  const times: Record<number, number> = {}
  for (let block = 0; block <= lastBlock; block += 1) {
    times[block] = time
    if (random.chance(0.6)) time += random.integer(1, 12)
  }
  return times
}
