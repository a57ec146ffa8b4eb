import {
  type DecodeEventLogReturnType,
  decodeEventLog,
  type Hex,
  type Log,
  toEventSelector,
} from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'

/** One log of a chain's station; `blockTimestamp` in seconds. */
export type StationLog = {
  chainId: number
  blockNumber: number
  blockTimestamp: number
  transactionHash: Hex
  logIndex: number
  topics: Hex[]
  data: Hex
}

/** The event of a log, and its place. */
export type StationEvent = Omit<StationLog, 'topics' | 'data'> &
  DecodeEventLogReturnType<typeof transitStationAbi>

const KNOWN_TOPICS = new Set<Hex>(
  transitStationAbi.flatMap((item) => (item.type === 'event' ? [toEventSelector(item)] : [])),
)

/**
 * Decodes the logs of stations, in the order of each chain. Topics that the ABI does not have are
 * left out. A log of a known topic that does not decode throws, since an indexer would lose it.
 */
export function readStationEvents(logs: StationLog[]): StationEvent[] {
  return logs
    .filter(({ topics: [topic] }) => topic !== undefined && KNOWN_TOPICS.has(topic))
    .sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    .map(({ topics, data, ...origin }) => ({
      ...origin,
      ...decodeEventLog({ abi: transitStationAbi, topics: topics as [Hex, ...Hex[]], data }),
    }))
}

/** The logs of one chain's station as viem's `getLogs` returns them; the node must give their time. */
export function toStationLogs(chainId: number, logs: Log[]): StationLog[] {
  return logs.map((log) => {
    const { blockNumber, blockTimestamp, transactionHash, logIndex, topics, data } = log
    if (blockNumber === null || transactionHash === null || logIndex === null)
      throw new Error('Invariant(toStationLogs): a pending log is no fact')
    if (blockTimestamp === undefined || blockTimestamp === null)
      throw new Error(`The node of chain ${chainId} gives logs without their block's time`)
    return {
      chainId,
      blockNumber: Number(blockNumber),
      blockTimestamp: Number(blockTimestamp),
      transactionHash,
      logIndex,
      topics,
      data,
    }
  })
}
