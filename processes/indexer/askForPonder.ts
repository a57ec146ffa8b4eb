import { setTimeout as sleep } from 'node:timers/promises'
import { type ChainNodes, NodesUnavailableError } from '../../domain/chain/chainNodes.ts'
import { type JsonRpcResponse, rangeOfLogs } from '../../domain/chain/jsonRpc.ts'
import type { JsonRpcRequest } from '../../domain/chain/judgeResult.ts'
import { requestLogs } from '../../domain/chain/requestLogs.ts'
import type { ChainFollower } from './chainFollower.ts'

export type PonderLine = {
  chainNodes: ChainNodes
  follower: ChainFollower
  /** How often Ponder has asked, and was answered. */
  requests: number
}

/** JSON-RPC's "method not found": on any other code Ponder retries for a minute. */
const DO_NOT_RETRY = -32601
/** Ponder gives up a request after ten seconds. */
const HOLD_MS = 8_000
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 400

export type HoldOptions = {
  /** How long it tries; default 8 s. */
  holdMs?: number
}

/**
 * Asks the nodes on Ponder's behalf. While the requested block is on the followed chain, it tries for up
 * to `holdMs`, because Ponder never asks again for a head that it failed to read. If the block is no longer on
 * that chain, the answer is an error on which Ponder goes on. Throws `NodesUnavailableError`.
 */
export async function askForPonder(
  line: PonderLine,
  request: JsonRpcRequest,
  { holdMs = HOLD_MS }: HoldOptions = {},
): Promise<JsonRpcResponse> {
  const deadline = Date.now() + holdMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const asked = pinToChain(line.follower, request)
    const known = emptyBlock(line.follower, asked)
    if (known) return known
    const outcome = await askOnce(line, asked, deadline)
    if (outcome !== 'absent' && outcome !== 'unavailable') return outcome
    if (outcome === 'absent' && !isOnChain(line.follower, asked)) return gone(asked)
    if (Date.now() + pause > deadline) {
      if (outcome === 'absent') return gone(asked)
      throw new NodesUnavailableError('No node answers')
    }
    await sleep(pause)
  }
}

/** Asks for blocks of the followed chain by hash, because a node may have other blocks at their numbers. */
function pinToChain({ tip, at }: ChainFollower, { method, params }: JsonRpcRequest) {
  const [block, full] = Array.isArray(params) ? params : []
  if (method !== 'eth_getBlockByNumber') return { method, params }
  const header = block === 'latest' ? tip() : isQuantity(block) ? at(BigInt(block)) : undefined
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

async function askOnce(
  { chainNodes, follower }: PonderLine,
  request: JsonRpcRequest,
  deadline: number,
): Promise<JsonRpcResponse | 'absent' | 'unavailable'> {
  const range = rangeOfLogs(request)
  const hash = blockHashOf(request)
  const isAbsent = (result: unknown) => result === null || isLackingLogs(follower, hash, result)
  try {
    const [filter] = Array.isArray(request.params) ? request.params : []
    if (range) return await requestLogs(chainNodes, filter, range, deadline)
    const response = await chainNodes.request(request, isAbsent)
    const isRefusedBlock = 'error' in response && hash !== undefined
    return isRefusedBlock || ('result' in response && isAbsent(response.result))
      ? 'absent'
      : response
  } catch (error) {
    if (error instanceof NodesUnavailableError) return 'unavailable'
    throw error
  }
}

/** Some nodes answer with no logs for a block that they lack. The block's bloom filter reveals it. */
function isLackingLogs(follower: ChainFollower, hash: string | undefined, result: unknown) {
  if (!Array.isArray(result) || result.length > 0 || hash === undefined) return false
  const bloom = follower.get(hash)?.logsBloom
  return bloom !== undefined && !isZero(bloom)
}

function isOnChain(follower: ChainFollower, request: JsonRpcRequest): boolean {
  const hash = blockHashOf(request)
  if (hash !== undefined) return follower.get(hash) !== undefined
  const [block] = Array.isArray(request.params) ? request.params : []
  return isQuantity(block) && BigInt(block) <= BigInt(follower.tip()?.number ?? 0)
}

/** The block hash in a request, if it has one. */
function blockHashOf({ method, params }: JsonRpcRequest): string | undefined {
  const [first] = Array.isArray(params) ? params : []
  if (method === 'eth_getBlockByHash') return String(first)
  const isFilter = method === 'eth_getLogs' && first !== null && typeof first === 'object'
  return isFilter && 'blockHash' in first ? String(first.blockHash) : undefined
}

function gone({ method }: JsonRpcRequest): JsonRpcResponse {
  if (method !== 'eth_getLogs') return { result: null }
  return { error: { code: DO_NOT_RETRY, message: 'the block is not on the chain any more' } }
}

function isQuantity(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && value.startsWith('0x')
}
