import type { Address } from 'viem'
import { observe } from '../observation/observe.ts'
import { openPart } from '../observation/tracing.ts'
import type { BlockRange } from './inParts.ts'
import {
  describeRequestError,
  type JsonRpcError,
  type JsonRpcResponse,
  postJsonRpc,
  rangeOfLogs,
} from './jsonRpc.ts'
import { type JsonRpcRequest, judgeResult } from './judgeResult.ts'
import { createLogWidth } from './logWidth.ts'
import { redactUrl } from './redactUrl.ts'
import { withoutRepeats } from './withoutRepeats.ts'

export type NodeAnswer =
  | { kind: 'good' | 'absent'; result: unknown }
  | { kind: 'error'; error: JsonRpcError }

/** The result of a probe, which may come from another process with the same URL. */
export type Probe = { head: bigint; latencyMs: number } | { failure: string; isOtherChain: boolean }

/** One node of a chain, and its health. Its errors and answers never show the keys of its URL. */
export type RpcNode = {
  /** Asks this node. If it gives no valid answer, throws and starts the node's cool-down. */
  ask(request: JsonRpcRequest): Promise<NodeAnswer>
  /** Checks its chain id again. Throws like `ask`. */
  verify(): Promise<void>
  /** Asks for its chain id and its newest block. */
  probe(): Promise<Probe>
  /** Takes a probe into account: a failed one starts the cool-down, another one its latency. */
  note(probe: Probe): void
  /** A probe found nothing wrong: it recovers step by step. */
  recover(): void
  /** Its probes show that it lacks blocks which another node has long had: it is asked after the others. */
  fallBehind(): void
  /** Its newest block, however late within this time. Its rank among the nodes stays. Throws without one. */
  head(timeoutMs: number): Promise<bigint>
  /** Whether it has shown a block of this number or a later one. Throws like `ask`. */
  hasBlock(number: bigint): Promise<boolean>
  isCooling(): boolean
  /** Failures in a row, 5 at most. */
  failures(): number
  /** The most blocks whose logs are worth asking for at once; infinite until it refuses a range. */
  mostLogBlocks(): number
  /** The mean of the last probes, in milliseconds; 0 before the first. */
  latencyMs(): number
}

export type NodeLimits = {
  timeoutMs: number
  /** For a range of logs and for a transaction receipt: a healthy node may need longer for them. */
  rangeTimeoutMs: number
  maxResponseBytes: number
  /** For a transaction receipt: a hostile transaction can have tens of thousands of logs. Default: as for all. */
  maxReceiptBytes?: number
}

/** `isOtherChain`: its URL leads to a node of another chain, which is never used. */
export type NodeFailure = { host: string; pauseMs: number; cause: string; isOtherChain: boolean }

class OtherChainError extends Error {
  override name = 'OtherChainError'
}

export type RpcNodeOptions = {
  chainId: number
  url: string
  limits: NodeLimits
  /** A contract that has code here on every node that is in sync, so an empty result means a bad node. */
  multicall3?: Address | undefined
  onFailure?: (failure: NodeFailure) => void
}

const FIRST_COOL_DOWN_MS = 250
const LONGEST_COOL_DOWN_MS = 4_000
const MAX_FAILURES = 5
const PROBE_TIMEOUT_MS = 1_000
const PROBES_KEPT = 5
const CHAIN_ID_REQUEST: JsonRpcRequest = { method: 'eth_chainId', params: [] }

/**
 * A node is used only after it has shown the right chain id, and again after every failure: its URL may
 * one day lead to another chain's node, with other tokens at the same addresses.
 */
export function createRpcNode(options: RpcNodeOptions): RpcNode {
  const { chainId, url, limits, multicall3, onFailure } = options
  const { host } = new URL(url)
  const redact = redactUrl(url)
  let coolUntil = 0
  let failures = 0
  let highest = -1n
  let verified: Promise<void> | undefined
  const latencies: number[] = []
  const logWidth = createLogWidth()

  async function post(
    request: JsonRpcRequest,
    timeoutMs: number,
    check: (result: unknown) => void = () => {},
  ) {
    const start = performance.now()
    const { method } = request
    const transfer = { sent: 0, received: 0 }
    const span = openPart(() => ({
      name: `rpc ${method}`,
      kind: 'client',
      attributes: { 'rpc.method': method, 'server.address': host, 'causeway.chain_id': chainId },
    }))
    const observed = (outcome: 'ok' | 'error' | 'failed') => {
      const seconds = (performance.now() - start) / 1_000
      observe({ kind: 'rpc', chainId, method, outcome, seconds, ...transfer })
      span?.end(outcome === 'ok' ? undefined : outcome)
    }
    try {
      const isReceipt = method === 'eth_getTransactionReceipt'
      const maxResponseBytes =
        (isReceipt ? limits.maxReceiptBytes : undefined) ?? limits.maxResponseBytes
      const response = await postJsonRpc(url, request, { timeoutMs, maxResponseBytes }, transfer)
      if ('result' in response) check(response.result)
      observed('error' in response ? 'error' : 'ok')
      return response
    } catch (cause) {
      observed('failed')
      throw cause
    }
  }

  async function checkChainId(timeoutMs: number) {
    const response = await post(CHAIN_ID_REQUEST, timeoutMs, refuseOtherChain)
    if ('error' in response) throw new Error(response.error.message)
  }

  function refuseOtherChain(answered: unknown) {
    if (typeof answered !== 'string' || Number(answered) !== chainId)
      throw new OtherChainError(
        `expected a node of chain ${chainId}, this one answers ${String(answered)}`,
      )
  }

  async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run()
    } catch (cause) {
      const failure = failureOf(cause)
      coolDown(failure)
      throw new Error(`${host}: ${failure.failure}`)
    }
  }

  function failureOf(cause: unknown) {
    return {
      failure: redact(describeRequestError(cause)),
      isOtherChain: cause instanceof OtherChainError,
    }
  }

  async function answerOf(request: JsonRpcRequest): Promise<NodeAnswer> {
    verified ??= checkChainId(limits.timeoutMs)
    await verified
    const range = rangeOfLogs(request)
    const isLong = range !== null || request.method === 'eth_getTransactionReceipt'
    const asked = post(request, isLong ? limits.rangeTimeoutMs : limits.timeoutMs)
    const response = await (range ? learning(range, asked) : asked)
    if ('error' in response) return { kind: 'error', error: withoutKeys(response.error) }
    // Some nodes answer null for an empty list.
    const result =
      request.method === 'eth_getLogs' ? withoutRepeats(response.result ?? []) : response.result
    const kind = judgeResult(request, result)
    if (kind === 'garbage' || isEmptyBatch(request, result))
      throw new Error(`its result is no answer to ${request.method}`)
    if (request.method === 'eth_chainId') refuseOtherChain(result)
    if (kind === 'absent') return { kind, result: null }
    failures = 0
    return { kind, result }
  }

  /** A node may refuse a range that is too wide in any words, and also by an HTTP error or by silence. */
  async function learning({ fromBlock, toBlock }: BlockRange, asked: Promise<JsonRpcResponse>) {
    const blocks = Number(toBlock - fromBlock) + 1
    try {
      const response = await asked
      if ('error' in response) logWidth.refused(blocks)
      else logWidth.granted(blocks)
      return response
    } catch (error) {
      logWidth.refused(blocks)
      throw error
    }
  }

  function isEmptyBatch({ method, params }: JsonRpcRequest, result: unknown): boolean {
    const [call] = Array.isArray(params) ? params : []
    return method === 'eth_call' && multicall3 === call?.to && result === '0x'
  }

  function withoutKeys(error: JsonRpcError): JsonRpcError {
    // Redacted as JSON text, so that nested values are covered.
    return JSON.parse(redact(JSON.stringify(error))) as JsonRpcError
  }

  function coolDown({ failure, isOtherChain }: ReturnType<typeof failureOf>) {
    const pauseMs = Math.min(FIRST_COOL_DOWN_MS * 2 ** failures, LONGEST_COOL_DOWN_MS)
    failures = Math.min(failures + 1, MAX_FAILURES)
    coolUntil = Date.now() + pauseMs
    verified = undefined
    onFailure?.({ host, pauseMs, cause: failure, isOtherChain })
  }

  const ask = (request: JsonRpcRequest) => guarded(() => answerOf(request))

  async function newestBlock(timeoutMs: number): Promise<bigint> {
    const request = { method: 'eth_blockNumber', params: [] }
    const [response] = await Promise.all([post(request, timeoutMs), checkChainId(timeoutMs)])
    if ('error' in response || judgeResult(request, response.result) !== 'good')
      throw new Error('no block number')
    return BigInt(String(response.result))
  }

  return {
    ask,
    verify: () =>
      guarded(async () => {
        const checked = checkChainId(limits.timeoutMs)
        await checked
        verified = checked
      }),
    async probe() {
      const start = performance.now()
      try {
        const head = await newestBlock(Math.min(PROBE_TIMEOUT_MS, limits.timeoutMs))
        return { head, latencyMs: performance.now() - start }
      } catch (cause) {
        return failureOf(cause)
      }
    },
    note(probe) {
      if ('failure' in probe) return coolDown(probe)
      latencies.push(probe.latencyMs)
      if (latencies.length > PROBES_KEPT) latencies.shift()
    },
    recover() {
      failures = Math.max(failures - 1, 0)
    },
    // Without numbers, because each cause is logged once a minute.
    fallBehind: () =>
      coolDown({ failure: 'it lacks blocks that another node has long had', isOtherChain: false }),
    head: (timeoutMs) =>
      newestBlock(timeoutMs).catch((cause) => {
        throw new Error(`${host}: ${redact(describeRequestError(cause))}`)
      }),
    async hasBlock(number) {
      if (highest >= number) return true
      const answer = await ask({ method: 'eth_blockNumber', params: [] })
      if (answer.kind === 'good') highest = BigInt(String(answer.result))
      return highest >= number
    },
    isCooling: () => coolUntil > Date.now(),
    failures: () => failures,
    mostLogBlocks: logWidth.most,
    latencyMs: () =>
      latencies.reduce((sum, latency) => sum + latency, 0) / Math.max(latencies.length, 1),
  }
}
