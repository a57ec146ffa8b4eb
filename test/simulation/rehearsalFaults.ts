import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { at } from '../support/findings.ts'
import type { Lie, NodeCall } from '../support/lyingNode.ts'

/** A fault of the second provider of chain 1, or of the book; the stage that finds it, and its line. */
export type Fault = {
  name: string
  stage: 'nodes' | 'abilities' | 'providers' | 'address book' | 'sample'
  wanted: RegExp
  lie?: (ask: Ask) => Lie
  book?: (book: AddressBookFile) => void
  /** Changes the websockets or the number of providers. */
  urls?: 'other socket' | 'dead socket' | 'no socket' | 'one provider' | 'nothing listens'
}

/** Asks the true node. */
export type Ask = (method: string, params: unknown[]) => Promise<unknown>

type Block = { number: string; timestamp: string; hash: string; parentHash: string }
type Log = { logIndex: string; transactionHash: string }

const HOUR = 3_600
const NO_HASH = `0x${'ab'.repeat(32)}`
const OVERRIDE_PARAMETERS = 3

const hex = (value: number) => `0x${value.toString(16)}`

/** Another answer to calls of one method. */
const instead =
  (method: string, change: (result: never, call: NodeCall) => unknown): (() => Lie) =>
  () =>
  (call, result) =>
    // Each change takes the form of its method's answer.
    call.method === method && result !== null ? change(result as never, call) : result

const refuse = (method: string, isRefused: (call: NodeCall) => boolean = () => true) =>
  instead(method, (result, call) => {
    if (isRefused(call)) throw new Error('refused')
    return result
  })

const isBlock = ({ params: [block] }: NodeCall, wanted: string | number) => block === wanted
const latest = (change: (block: Block) => object) =>
  instead('eth_getBlockByNumber', (block: Block, call) =>
    isBlock(call, 'latest') ? change(block) : block,
  )
const later = (seconds: number) =>
  latest((block) => ({ ...block, timestamp: hex(Number(block.timestamp) + seconds) }))
const logs = (change: (found: Log[]) => unknown) => instead('eth_getLogs', change)

function widthOf({ params: [filter] }: NodeCall): number {
  const { fromBlock, toBlock } = filter as Record<string, string>
  return Number(toBlock) - Number(fromBlock) + 1
}

const callTo = (data: string) => (call: NodeCall) =>
  call.method === 'eth_call' && (call.params[0] as { data?: string }).data?.startsWith(data)

const ofCall =
  (data: string, answer: string): (() => Lie) =>
  () =>
  (call, result) =>
    callTo(data)(call) ? answer : result

export const FAULTS: Fault[] = [
  {
    name: 'another chain',
    stage: 'nodes',
    wanted: /^error node of chain 1, .*: it is a node of chain 5/,
    lie: instead('eth_chainId', () => '0x5'),
  },
  {
    name: 'an error for everything',
    stage: 'nodes',
    wanted: /^error node of chain 1, .*: it does not answer: HTTP 500/,
    lie: () => () => {
      throw new Error('down')
    },
  },
  {
    name: 'nothing listens',
    stage: 'nodes',
    wanted: /^error node of chain 1, .*: it does not answer: .*ECONNREFUSED/,
    urls: 'nothing listens',
  },
  {
    name: 'an old head',
    stage: 'nodes',
    wanted: /^error node of chain 1, .*: its newest block \d+ is 3\d\d\d s old/,
    lie: later(-HOUR),
  },
  {
    name: 'a head of the future',
    stage: 'nodes',
    wanted: /^error node of chain 1, .* is 3\d\d\d s ahead of the clock/,
    lie: later(HOUR),
  },
  {
    name: 'no old logs',
    stage: 'nodes',
    wanted:
      /^error node of chain 1, .*: it lacks the logs of block \d+, the first of the contracts: /,
    lie: refuse('eth_getLogs'),
  },
  {
    name: 'no old block',
    stage: 'nodes',
    wanted: /^error node of chain 1, .*: it has no such block/,
    lie: () => (call, result) =>
      call.method === 'eth_getBlockByNumber' && !isBlock(call, 'latest') ? null : result,
  },
  {
    name: 'a rate limit',
    stage: 'nodes',
    wanted: /^warning node of chain 1, .*: it refuses 15 of 20 calls at once/,
    lie: () => {
      let asked = 0
      return (call, result) => {
        if (call.method === 'eth_blockNumber' && ++asked > 5) throw new Error('limit')
        return result
      }
    },
  },
  {
    name: 'a websocket of another chain',
    stage: 'nodes',
    wanted: /^error websocket of chain 1, .*: it is of chain 4663/,
    urls: 'other socket',
  },
  {
    name: 'a dead websocket',
    stage: 'nodes',
    wanted: /^error websocket of chain 1, .*: it does not answer: .*ECONNREFUSED/,
    urls: 'dead socket',
  },
  {
    name: 'no websocket',
    stage: 'nodes',
    wanted: /^warning nodes of chain 1: there is no websocket/,
    urls: 'no socket',
  },
  {
    name: 'one provider',
    stage: 'nodes',
    wanted: /^warning nodes of chain 1: there is only one/,
    urls: 'one provider',
  },

  {
    name: 'logs of ten blocks',
    stage: 'abilities',
    wanted: /the logs of 10 blocks at once .*: the first index takes \d+ calls/,
    lie: refuse('eth_getLogs', (call) => widthOf(call) > 10),
  },
  {
    name: 'no logs',
    stage: 'abilities',
    wanted: /it gives no logs of its newest block/,
    lie: refuse('eth_getLogs'),
  },
  {
    name: 'no old state',
    stage: 'abilities',
    wanted: /it has no state of block \d+/,
    lie: refuse('eth_getCode'),
  },
  {
    name: 'no finalized block',
    stage: 'abilities',
    wanted: /it has no block finalized/,
    lie: () => (call, result) => (isBlock(call, 'finalized') ? null : result),
  },
  {
    name: 'a finalized block above the head',
    stage: 'abilities',
    wanted: /it has no block safe/,
    lie: () => (call, result) =>
      isBlock(call, 'safe') ? { ...(result as Block), number: '0xffffff' } : result,
  },
  {
    name: 'overrides that are ignored',
    stage: 'abilities',
    wanted: /does not take state overrides in eth_call \(0x\)/,
    lie: () => (call, result) => (call.params.length === OVERRIDE_PARAMETERS ? '0x' : result),
  },
  {
    name: 'overrides that are refused',
    stage: 'abilities',
    wanted: /does not take state overrides/,
    lie: refuse('eth_call', ({ params }) => params.length === OVERRIDE_PARAMETERS),
  },
  {
    name: 'another block by hash',
    stage: 'abilities',
    wanted: /by number, by hash and its parent do not fit/,
    lie: instead('eth_getBlockByHash', (block: Block) => ({ ...block, timestamp: '0x1' })),
  },
  {
    name: 'a block without its parent',
    stage: 'abilities',
    wanted: /by number, by hash and its parent do not fit/,
    lie: () => (call, result) =>
      call.method === 'eth_getBlockByNumber' || call.method === 'eth_getBlockByHash'
        ? { ...(result as Block), parentHash: NO_HASH }
        : result,
  },
  {
    name: 'no receipts',
    stage: 'abilities',
    wanted: /and has no receipt of it/,
    lie: () => (call, result) => (call.method === 'eth_getTransactionReceipt' ? null : result),
  },
  {
    name: 'receipts with other logs',
    stage: 'abilities',
    wanted: /is not the one in its receipt/,
    lie: instead('eth_getTransactionReceipt', (receipt: { logs: Log[] }) => ({
      ...receipt,
      logs: receipt.logs.map((log) => ({ ...log, logIndex: hex(Number(log.logIndex) + 7) })),
    })),
  },
  {
    name: 'logs of no transaction',
    stage: 'abilities',
    wanted: /a log of the transaction 0xabab.* has no receipt/,
    lie: logs((found) => found.map((log) => ({ ...log, transactionHash: NO_HASH }))),
  },
  {
    name: 'no gas estimates',
    stage: 'abilities',
    wanted: /does not answer eth_estimateGas/,
    lie: refuse('eth_estimateGas'),
  },
  {
    name: 'no gas price',
    stage: 'abilities',
    wanted: /does not answer eth_gasPrice/,
    lie: refuse('eth_gasPrice'),
  },
  {
    name: 'a slow node',
    stage: 'abilities',
    wanted: /it takes 1\d\d\d ms for the number/,
    lie: () => async (call, result) => {
      if (call.method === 'eth_blockNumber') await sleep(1_050)
      return result
    },
  },
  {
    name: 'nonsense',
    stage: 'abilities',
    wanted: /its answers about blocks are wrong: the answer has not the form/,
    lie: instead('eth_getBlockByHash', () => 7),
  },

  {
    name: 'a node that is behind',
    stage: 'providers',
    wanted: /is 50 blocks behind the other/,
    lie: (ask) => async (call, result) =>
      call.method === 'eth_getBlockByNumber' && isBlock(call, 'latest')
        ? ask('eth_getBlockByNumber', [hex(Number((result as Block).number) - 50), false])
        : result,
  },
  {
    name: 'another first block',
    stage: 'providers',
    wanted: /their first blocks differ/,
    lie: instead('eth_getBlockByNumber', (block: Block, call) =>
      isBlock(call, '0x0') ? { ...block, hash: NO_HASH } : block,
    ),
  },
  {
    name: 'another final block',
    stage: 'providers',
    wanted: /different blocks \d+, which is final/,
    lie: instead('eth_getBlockByNumber', (block: Block, call) =>
      isBlock(call, 'latest') || isBlock(call, '0x0') ? block : { ...block, hash: NO_HASH },
    ),
  },
  {
    name: 'another time of a block',
    stage: 'providers',
    wanted: /different timestamp in block \d+/,
    lie: instead('eth_getBlockByNumber', (block: Block, call) =>
      isBlock(call, 'latest') ? block : { ...block, timestamp: '0x1' },
    ),
  },
  {
    name: 'no log of any',
    stage: 'providers',
    wanted: /lacks (\d+) of \1 logs that the other has/,
    lie: logs(() => []),
  },
  {
    name: 'a log left out',
    stage: 'providers',
    wanted: /lacks 1 of \d+ logs that the other has/,
    lie: logs((found) => found.slice(0, -1)),
  },
  {
    name: 'a log of another amount',
    stage: 'providers',
    wanted: /lacks 1 of \d+ logs/,
    lie: logs((found) =>
      found.map((log, index) => (index === 0 ? { ...log, data: NO_HASH } : log)),
    ),
  },
  {
    name: 'another code',
    stage: 'providers',
    wanted: /they differ in the code of 0x/,
    lie: instead('eth_getCode', () => '0x00'),
  },
  {
    name: 'another supply',
    stage: 'providers',
    wanted: /they differ in totalSupply\(\) of 0x/,
    lie: ofCall('0x18160ddd', hex(7)),
  },
  {
    name: 'state of another block',
    stage: 'providers',
    wanted: /they differ in getBlockNumber\(\) of Multicall3/,
    lie: ofCall('0x42cbb15c', hex(7)),
  },

  {
    name: 'a wrong symbol',
    stage: 'address book',
    wanted: /tokens\.0\.symbol: the book has USD/,
    book: (book) => {
      at(book.tokens, 0).symbol = 'USD'
    },
  },
  {
    name: 'contracts that only one provider lacks',
    stage: 'address book',
    wanted: /address book, by provider 2: .*no code/,
    lie: instead('eth_getCode', () => '0x'),
  },

  {
    name: 'logs that only the index has',
    stage: 'sample',
    wanted: /the node has no such log/,
    lie: logs(() => []),
  },
  {
    name: 'another transaction of a log',
    stage: 'sample',
    wanted: /the node has log \d+ of transaction 0xabab/,
    lie: logs((found) => found.map((log) => ({ ...log, transactionHash: NO_HASH }))),
  },
  {
    name: 'another balance',
    stage: 'sample',
    wanted: /share_balance has \d+ shares .* the node has 7/,
    lie: ofCall('0x70a08231', hex(7)),
  },
]
