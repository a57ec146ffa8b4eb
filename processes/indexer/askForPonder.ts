import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { type ChainNodes, NodesUnavailableError } from '../../domain/chain/chainNodes.ts'
import type { BlockRange } from '../../domain/chain/inParts.ts'
import { type JsonRpcResponse, rangeOfLogs } from '../../domain/chain/jsonRpc.ts'
import { isHex, type JsonRpcRequest } from '../../domain/chain/judgeResult.ts'
import { explainsBloom } from '../../domain/chain/logsBloom.ts'
import { requestAllLogs } from '../../domain/chain/requestAllLogs.ts'
import { requestLogs } from '../../domain/chain/requestLogs.ts'
import type { Logger } from '../logger.ts'
import {
  areListed,
  type BlockLog,
  type BlockTransactions,
  withListed,
} from './blockTransactions.ts'
import type { ChainFollower } from './chainFollower.ts'

export type PonderLine = {
  /** Blocks so far below the head are the same at every node. */
  finalityDepth: number
  /** The contracts whose logs are indexed; lower case. */
  contracts: ReadonlySet<string>
  chainNodes: ChainNodes
  follower: ChainFollower
  transactions: BlockTransactions
  logger: Logger
  /** How often Ponder has asked, and was answered. */
  requests: number
  /** By the hash of a block whose logs do not explain its bloom filter: since when (ms). */
  doubts: Map<string, number>
  /** Such blocks in a row that were believed in the end. */
  unexplained: number
}

/** JSON-RPC's "method not found": on any other code Ponder retries for a minute. */
const DO_NOT_RETRY = -32601
/** Ponder gives up a request after ten seconds. */
const HOLD_MS = 8_000
const DOUBT_MS = 60_000
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 400
/** After so many blocks in a row, the filters of a chain are taken to contain logs that its nodes never show. */
const MOST_UNEXPLAINED = 3

export type HoldOptions = {
  /** How long it tries; default 8 s. */
  holdMs?: number
  /** How long logs that may not be all of a block are refused; default a minute. */
  doubtMs?: number
}

/**
 * Asks the nodes on Ponder's behalf. While the requested block is on the followed chain, it tries for up
 * to `holdMs`, because Ponder never asks again for a head that it failed to read. If the block is no longer on
 * that chain, the answer is an error on which Ponder goes on. Throws `NodesUnavailableError`.
 */
export async function askForPonder(
  line: PonderLine,
  request: JsonRpcRequest,
  { holdMs = HOLD_MS, doubtMs = DOUBT_MS }: HoldOptions = {},
): Promise<JsonRpcResponse> {
  const deadline = Date.now() + holdMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const asked = pinToChain(line.follower, request)
    const known = emptyBlock(line.follower, asked)
    if (known) return known
    const { kind, response } = await askOnce(line, asked, deadline)
    if (kind === 'answer') return response
    if (kind !== 'unavailable' && !isOnChain(line.follower, asked))
      return refusal(asked, 'the block is not on the chain any more')
    if (Date.now() + pause > deadline) {
      if (kind === 'unavailable') throw new NodesUnavailableError('No node answers')
      if (kind === 'doubtful' && isBelieved(line, asked, doubtMs)) return response
      return refusal(asked, 'no node shows all logs of the block')
    }
    await sleep(pause)
  }
}

/** Asks for blocks of the followed chain by hash, because a node may have other blocks at their numbers. */
function pinToChain({ tip, at }: ChainFollower, { method, params }: JsonRpcRequest) {
  const [block, full] = Array.isArray(params) ? params : []
  if (method !== 'eth_getBlockByNumber') return { method, params }
  const header = block === 'latest' ? tip() : isHex(block) ? at(BigInt(block)) : undefined
  return header ? { method: 'eth_getBlockByHash', params: [header.hash, full] } : { method, params }
}

/** The root of a list of no transactions. */
const NO_TRANSACTIONS = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/**
 * The answer about a block of the followed chain whose header shows that it is empty. Ponder asks for the logs of every
 * block without a bloom filter, because some chains have none. So the header must show in three ways that there are
 * none: without a transaction, gas or bloom filter.
 */
function emptyBlock(follower: ChainFollower, request: JsonRpcRequest): JsonRpcResponse | null {
  const header = follower.get(blockHashOf(request) ?? '')
  const isEmpty =
    header?.transactionsRoot === NO_TRANSACTIONS &&
    header.gasUsed === '0x0' &&
    isZero(header.logsBloom)
  if (!isEmpty) return null
  return { result: request.method === 'eth_getLogs' ? [] : { ...header, transactions: [] } }
}

function isZero(hex: string): boolean {
  return /^0x0*$/.test(hex)
}

/** Whether logs have been doubtful for so long that they are taken for all logs of their block. */
function isBelieved(line: PonderLine, request: JsonRpcRequest, doubtMs: number): boolean {
  const block = blockHashOf(request) ?? ''
  // Ponder does not ask again for a block that has left the chain.
  for (const hash of line.doubts.keys()) if (!line.follower.get(hash)) line.doubts.delete(hash)
  const since = line.doubts.get(block) ?? Date.now()
  line.doubts.set(block, since)
  if (Date.now() - since < doubtMs) return false
  line.doubts.delete(block)
  line.unexplained += 1
  line.logger.warn(
    { block },
    'the logs of a block do not explain its bloom filter: one may be hidden',
  )
  return true
}

/** `doubtful`: logs that may not be all logs of the block. */
type Outcome =
  | { kind: 'answer' | 'doubtful'; response: JsonRpcResponse }
  | { kind: 'absent' | 'unavailable'; response?: never }

async function askOnce(
  line: PonderLine,
  request: JsonRpcRequest,
  deadline: number,
): Promise<Outcome> {
  const { chainNodes, follower, contracts } = line
  const range = rangeOfLogs(request)
  const hash = blockHashOf(request)
  const bloom = hash === undefined ? undefined : follower.get(hash)?.logsBloom
  const judge = (result: unknown) => (result === null ? 'absent' : judgeLogs(result, bloom))
  const isDoubting = line.unexplained < MOST_UNEXPLAINED
  const isGood = (kind: Judged) => kind === 'answer' || (kind === 'doubtful' && !isDoubting)
  try {
    const [filter] = Array.isArray(request.params) ? request.params : []
    if (range) {
      const readLogs = isFinal(line, range) ? requestAllLogs : requestLogs
      return { kind: 'answer', response: await readLogs(chainNodes, filter, range, deadline) }
    }
    const asked = chainNodes.request(request, (result) => !isGood(judge(result)))
    if (hash && isWholeBlock(request)) line.transactions.note(hash, asked)
    const first = await asked
    const listed = hash && hasLogs(first) ? await line.transactions.of(hash) : null
    const isRight = (result: unknown) =>
      isGood(judge(result)) && (!listed || areListed(result as BlockLog[], listed, contracts))
    const response = await orOther(chainNodes, { request, first, isRight })
    if ('error' in response) return hash ? { kind: 'absent' } : { kind: 'answer', response }
    const kind = judge(response.result)
    if (kind === 'absent') return { kind }
    if (kind === 'answer' && isFiltered(bloom) && Array.isArray(response.result)) {
      line.unexplained = 0
      line.doubts.delete(hash ?? '')
    }
    const taken =
      listed && hasLogs(response)
        ? { result: withListed(response.result, listed, contracts) }
        : response
    return { kind: isGood(kind) ? 'answer' : kind, response: taken }
  } catch (error) {
    if (error instanceof NodesUnavailableError) return { kind: 'unavailable' }
    throw error
  }
}

type First = {
  request: JsonRpcRequest
  first: JsonRpcResponse
  isRight: (result: unknown) => boolean
}

/** The first answer, or that of another node if only that one is right. */
async function orOther(
  chainNodes: ChainNodes,
  { request, first, isRight }: First,
): Promise<JsonRpcResponse> {
  if (!hasLogs(first) || isRight(first.result) || chainNodes.nodes.length < 2) return first
  const other = await chainNodes.request(request, (result) => !isRight(result))
  return hasLogs(other) && isRight(other.result) ? other : first
}

function hasLogs(response: JsonRpcResponse): response is { result: BlockLog[] } {
  return 'result' in response && Array.isArray(response.result) && response.result.length > 0
}

function isWholeBlock({ method, params }: JsonRpcRequest): boolean {
  return method === 'eth_getBlockByHash' && Array.isArray(params) && params[1] === true
}

/** Whether the range is final. Its logs are then united from all nodes, because a range has no bloom filter that shows a lack. */
function isFinal({ follower, finalityDepth }: PonderLine, { toBlock }: BlockRange): boolean {
  return toBlock + BigInt(finalityDepth) <= BigInt(follower.tip()?.number ?? 0)
}

type Judged = 'answer' | 'absent' | 'doubtful'

/**
 * Some nodes answer with no logs for a block that they lack, and some leave one out. The block's bloom filter reveals both:
 * all logs together must set each of its bits. Some chains have logs that are not in the filter, or no filter.
 */
function judgeLogs(result: unknown, bloom: Hex | undefined): Judged {
  if (!Array.isArray(result) || !isFiltered(bloom)) return 'answer'
  if (result.length === 0) return 'absent'
  return explainsBloom(bloom, result) ? 'answer' : 'doubtful'
}

function isFiltered(bloom: Hex | undefined): bloom is Hex {
  return bloom !== undefined && !isZero(bloom)
}

function isOnChain(follower: ChainFollower, request: JsonRpcRequest): boolean {
  const hash = blockHashOf(request)
  if (hash !== undefined) return follower.get(hash) !== undefined
  const [block] = Array.isArray(request.params) ? request.params : []
  return isHex(block) && BigInt(block) <= BigInt(follower.tip()?.number ?? 0)
}

/** The block hash in a request, if it has one. */
function blockHashOf({ method, params }: JsonRpcRequest): string | undefined {
  const [first] = Array.isArray(params) ? params : []
  if (method === 'eth_getBlockByHash') return String(first)
  const isFilter = method === 'eth_getLogs' && first !== null && typeof first === 'object'
  return isFilter && 'blockHash' in first ? String(first.blockHash) : undefined
}

/** The answer on which Ponder gives up a block at once. It shows the message in its log. */
function refusal({ method }: JsonRpcRequest, message: string): JsonRpcResponse {
  return method === 'eth_getLogs' ? { error: { code: DO_NOT_RETRY, message } } : { result: null }
}
