import { type Hex, toEventSelector } from 'viem'
import { hexOf, type OracleRpc, wordsOf } from './oracleRpc.ts'

/** One log as `eth_getLogs` gave it, with its block's time in Unix seconds. Addresses are lower case. */
export type OracleLog = {
  address: string
  /** The topic of the event's signature, then its indexed arguments as numbers. */
  topic: Hex
  indexed: bigint[]
  /** The words of its data. */
  words: bigint[]
  block: number
  time: number
  transaction: Hex
  index: number
}

/** One chain up to `head`, which is fixed. */
export type OracleChain = {
  chainId: number
  head: { number: number; time: number }
  /** The logs of some contracts, in the chain's order. */
  logs: OracleLog[]
  /** The last block whose time is at most this; null before the first. */
  blockAt(time: number): number | null
  timeOf(block: number): number
  /** The words that a contract's view function returned at a block; null if it reverted. */
  try(place: Place, signature: string, args?: (bigint | string)[]): Promise<bigint[] | null>
  /** The first of these words. Throws if it reverted. */
  ask(place: Place, signature: string, args?: (bigint | string)[]): Promise<bigint>
}

/** At the head by default. */
type Place = { to: string; block?: number }

type RawLog = {
  address: string
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  transactionHash: Hex
  logIndex: Hex
}

/** Reads all blocks' times and all logs of these contracts, up to the node's newest block. */
export async function readOracleChain(
  rpc: OracleRpc,
  chainId: number,
  contracts: string[],
): Promise<OracleChain> {
  const number = Number(await rpc.ask('eth_blockNumber', []))
  const [times, logs] = await Promise.all([
    readTimes(rpc, number),
    readLogs(rpc, number, contracts),
  ])
  const timeOf = (block: number) => times[block] ?? Number.NaN
  const attempt: OracleChain['try'] = ({ to, block = number }, signature, args) =>
    rpc.call({ block, to }, signature, args)
  return {
    chainId,
    head: { number, time: timeOf(number) },
    logs: logs.map((log) => readLog(log, timeOf)),
    blockAt(time) {
      const block = times.findLastIndex((candidate) => candidate <= time)
      return block === -1 ? null : block
    },
    timeOf,
    try: attempt,
    async ask(place, signature, args) {
      const [word] = (await attempt(place, signature, args)) ?? []
      if (word === undefined)
        throw new Error(`Chain ${chainId}: ${place.to} does not answer ${signature}`)
      return word
    },
  }
}

async function readTimes(rpc: OracleRpc, head: number): Promise<number[]> {
  const blocks = await Promise.all(
    Array.from({ length: head + 1 }, (_, block) =>
      rpc.ask('eth_getBlockByNumber', [hexOf(block), false]),
    ),
  )
  return blocks.map((block) => Number((block as { timestamp: Hex }).timestamp))
}

async function readLogs(rpc: OracleRpc, head: number, address: string[]): Promise<RawLog[]> {
  const logs = await rpc.ask('eth_getLogs', [{ address, fromBlock: '0x0', toBlock: hexOf(head) }])
  return logs as RawLog[]
}

function readLog(
  { address, topics, data, blockNumber, transactionHash, logIndex }: RawLog,
  timeOf: (block: number) => number,
): OracleLog {
  const [topic = '0x', ...indexed] = topics
  return {
    address: address.toLowerCase(),
    topic,
    indexed: indexed.map(BigInt),
    words: wordsOf(data),
    block: Number(blockNumber),
    time: timeOf(Number(blockNumber)),
    transaction: transactionHash,
    index: Number(logIndex),
  }
}

/** The logs of some contracts that are of one of these events, named by their signatures. */
export function logsOf(
  { logs }: Pick<OracleChain, 'logs'>,
  addresses: string[],
  signatures: string[],
): OracleLog[] {
  const topics = signatures.map(toEventSelector)
  return logs.filter(({ address, topic }) => addresses.includes(address) && topics.includes(topic))
}
