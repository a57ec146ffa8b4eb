import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesToHex, type Hex, keccak256, numberToHex, toHex, zeroAddress, zeroHash } from 'viem'
import { bloomOf } from '../../domain/chain/logsBloom.ts'

export type ReplayLog = {
  chainId: number
  blockNumber: number
  transactionIndex: number
  logIndex: number
  transactionHash: Hex
  address: Hex
  topics: Hex[]
  data: Hex
}

export type RecordedLog = ReplayLog & {
  contract: string
  event: string | null
  args: Record<string, unknown> | null
}

type ReplayOptions = {
  chainId: number
  logs: ReplayLog[]
  /** Seconds, by block number. */
  timestamps: Record<string, number>
  head: number
  /** How far the head can be moved. */
  lastBlock?: number
}

type LogFilter = {
  fromBlock?: Hex
  toBlock?: Hex
  blockHash?: Hex
  address?: Hex | Hex[]
  topics?: (Hex | Hex[] | null)[]
}

/**
 * A JSON-RPC node whose chain consists of the given logs, in consistent generated blocks. Blocks above
 * its head do not exist for callers; `setHead` moves the head.
 */
export async function startReplayNode(options: ReplayOptions) {
  const { chainId, logs, timestamps } = options
  let { head } = options
  const lastBlock = options.lastBlock ?? head
  const times = timesOfBlocks(timestamps, lastBlock)
  const hashes = times.map((_, number) => keccak256(toHex(`block ${chainId} ${number}`)))
  const hashOf = (number: number): Hex => hashes[number] ?? zeroHash
  const shown = () => logs.filter(({ blockNumber }) => blockNumber <= head)

  const methods: Record<string, (first: never) => unknown> = {
    eth_chainId: () => numberToHex(chainId),
    eth_blockNumber: () => numberToHex(head),
    eth_getLogs: (filter: LogFilter) =>
      shown()
        .filter((log) => matches(log, filter, hashOf))
        .map((log) => toRpcLog(log, hashOf)),
    eth_getBlockByNumber: (tag: string) => {
      const number = tag.startsWith('0x') ? Number(tag) : head
      return number > head ? null : block(number)
    },
    eth_getBlockByHash: (hash: Hex) => {
      const number = hashes.indexOf(hash)
      return number < 0 || number > head ? null : block(number)
    },
  }

  function block(number: number) {
    const inBlock = logs.filter(({ blockNumber }) => blockNumber === number)
    const transactions = new Map(
      inBlock.map(({ transactionHash, transactionIndex }) => [transactionHash, transactionIndex]),
    )
    return {
      ...EMPTY_BLOCK,
      logsBloom: bytesToHex(bloomOf(inBlock)),
      number: numberToHex(number),
      hash: hashOf(number),
      parentHash: number === 0 ? zeroHash : hashOf(number - 1),
      timestamp: numberToHex(times[number] ?? 0),
      transactions: [...transactions].map(([hash, index]) => ({
        ...EMPTY_TRANSACTION,
        hash,
        transactionIndex: numberToHex(index),
        blockHash: hashOf(number),
        blockNumber: numberToHex(number),
        chainId: numberToHex(chainId),
      })),
    }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    const answer = methods[method]
    const body = answer
      ? { result: answer(params?.[0] as never) } // Each method takes its own type.
      : { error: { code: -32601, message: `no ${method} in the recording` } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    setHead(block: number) {
      if (block > lastBlock) throw new Error(`chain ${chainId} ends at block ${lastBlock}`)
      head = block
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Blocks without a recorded log get the time of the nearest one before them. */
function timesOfBlocks(recorded: Record<string, number>, head: number): number[] {
  const times: number[] = []
  let last = Math.min(...Object.values(recorded))
  for (let number = 0; number <= head; number += 1) {
    last = recorded[number] ?? last
    times.push(last)
  }
  return times
}

function matches(log: ReplayLog, filter: LogFilter, hashOf: (number: number) => Hex): boolean {
  if (filter.blockHash && hashOf(log.blockNumber) !== filter.blockHash) return false
  if (filter.fromBlock && log.blockNumber < Number(filter.fromBlock)) return false
  if (filter.toBlock && log.blockNumber > Number(filter.toBlock)) return false
  const addresses = [filter.address ?? []].flat().map((address) => address.toLowerCase())
  if (addresses.length > 0 && !addresses.includes(log.address.toLowerCase())) return false
  return (filter.topics ?? []).every((wanted, position) => {
    if (wanted === null) return true
    const topic = log.topics[position]
    return topic !== undefined && [wanted].flat().includes(topic)
  })
}

function toRpcLog(log: ReplayLog, hashOf: (number: number) => Hex) {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: numberToHex(log.blockNumber),
    blockHash: hashOf(log.blockNumber),
    transactionHash: log.transactionHash,
    transactionIndex: numberToHex(log.transactionIndex),
    logIndex: numberToHex(log.logIndex),
    removed: false,
  }
}

const EMPTY_BLOCK = {
  miner: zeroAddress,
  gasUsed: '0x0',
  gasLimit: '0x1c9c380',
  baseFeePerGas: '0x7',
  difficulty: '0x0',
  totalDifficulty: '0x0',
  nonce: '0x0000000000000000',
  mixHash: zeroHash,
  sha3Uncles: zeroHash,
  receiptsRoot: zeroHash,
  stateRoot: zeroHash,
  transactionsRoot: zeroHash,
  extraData: '0x',
  size: '0x0',
  uncles: [],
}

const EMPTY_TRANSACTION = {
  from: zeroAddress,
  to: zeroAddress,
  gas: '0x5208',
  gasPrice: '0x7',
  input: '0x',
  nonce: '0x0',
  value: '0x0',
  type: '0x0',
  r: zeroHash,
  s: zeroHash,
  v: '0x1b',
}
