import { type JsonRpcRequest, judgeResult } from '../../domain/chain/judgeResult.ts'
import type { Logger } from '../logger.ts'
import { type JsonRpcError, lastBlockOfRange, postJsonRpc } from './jsonRpc.ts'

export type NodeAnswer =
  | { kind: 'good' | 'absent'; result: unknown }
  | { kind: 'error'; error: JsonRpcError }

/** One node of a chain, and how it has been doing. */
export type RpcNode = {
  /** Asks this node. Throws, and leaves the node alone for a while, when what comes is no answer. */
  ask(request: JsonRpcRequest): Promise<NodeAnswer>
  /** Makes it show its chain id again. Throws as `ask` does. */
  verify(): Promise<void>
  /** Whether it has shown a block so high. Throws as `ask` does. */
  hasBlock(number: bigint): Promise<boolean>
  isCooling(): boolean
  /** How often in a row it gave nothing that could be used. */
  failures(): number
}

type RpcNodeOptions = { chainId: number; url: string; logger: Logger; timeoutMs?: number }

const FIRST_COOL_DOWN_MS = 250
const LONGEST_COOL_DOWN_MS = 4_000
/** A range of logs is the one call that a healthy node may think about. */
const RANGE_TIMEOUT_FACTOR = 4

/** A node answers only after it has shown the right chain id, and again after every failure. */
export function createRpcNode({
  chainId,
  url,
  logger,
  timeoutMs = 2_500,
}: RpcNodeOptions): RpcNode {
  const { host } = new URL(url)
  let coolUntil = 0
  let failures = 0
  let isVerified = false
  let highest = -1n

  async function verifyChainId() {
    const request = { method: 'eth_chainId', params: [] }
    const response = await postJsonRpc(url, request, timeoutMs)
    const answered = 'result' in response ? Number(response.result) : Number.NaN
    if (answered !== chainId)
      throw new Error(`expected a node of chain ${chainId}, this one says ${answered}`)
    isVerified = true
  }

  async function guarded<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run()
    } catch (cause) {
      coolDown(cause)
      throw cause
    }
  }

  async function answerOf(request: JsonRpcRequest): Promise<NodeAnswer> {
    if (!isVerified) await verifyChainId()
    const isRange = lastBlockOfRange(request) !== null
    const response = await postJsonRpc(
      url,
      request,
      isRange ? timeoutMs * RANGE_TIMEOUT_FACTOR : timeoutMs,
    )
    if ('error' in response) return { kind: 'error', error: response.error }
    const kind = judgeResult(request, response.result)
    if (kind === 'garbage') throw new Error(`what it says to ${request.method} is no answer`)
    if (kind === 'good') failures = 0
    return { kind, result: response.result }
  }

  function coolDown(cause: unknown) {
    const pause = Math.min(FIRST_COOL_DOWN_MS * 2 ** failures, LONGEST_COOL_DOWN_MS)
    failures += 1
    coolUntil = Date.now() + pause
    isVerified = false
    logger.warn({ chainId, host, pause, cause: String(cause) }, 'node failed')
  }

  const ask = (request: JsonRpcRequest) => guarded(() => answerOf(request))

  return {
    ask,
    verify: () => guarded(verifyChainId),
    async hasBlock(number) {
      if (highest >= number) return true
      const answer = await ask({ method: 'eth_blockNumber', params: [] })
      if (answer.kind === 'good') highest = BigInt(String(answer.result))
      return highest >= number
    },
    isCooling: () => coolUntil > Date.now(),
    failures: () => failures,
  }
}
