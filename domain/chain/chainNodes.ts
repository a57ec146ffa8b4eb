import { isRevert, type JsonRpcResponse, rangeOfLogs } from './jsonRpc.ts'
import type { JsonRpcRequest } from './judgeResult.ts'
import type { NodeAnswer, Probe, RpcNode } from './rpcNode.ts'

/** All nodes of one chain, used as one. The api, the worker and the indexer all ask through it. */
export type ChainNodes = {
  /**
   * The first good answer of any node, or the first revert. Failing that, an answer that something is
   * absent; then an error object. Throws `NodesUnavailableError`.
   */
  request(
    request: JsonRpcRequest,
    isAbsent?: (result: unknown) => boolean,
  ): Promise<JsonRpcResponse>
  /** The newest block of the first node that answers within this time. Throws without one. */
  head(timeoutMs: number): Promise<bigint>
  /** The most blocks whose logs any node that answers is known to give at once; infinite until they refuse. */
  mostLogBlocks(): number
  nodes: RpcNode[]
  /** Each node alone: for what one node may hide. */
  each(): ChainNodes[]
}

/** No node of the chain gave a valid answer. */
export class NodesUnavailableError extends Error {
  override name = 'NodesUnavailableError'
}

type ChainNodesOptions = {
  /** Interval of the probes of each node, so that a silent or slow one is found before a read waits for it. */
  probeMs?: number
  /** The probes of all nodes, of this process by default, or those that another one has just made. */
  shareProbes?: (probe: () => Promise<Probe[]>) => Promise<Probe[]>
}

/** Asks the nodes, healthiest first. A block that one node lacks, another may have. */
export function createChainNodes(
  chainId: number,
  nodes: RpcNode[],
  { probeMs, shareProbes = (probe) => probe() }: ChainNodesOptions = {},
): ChainNodes {
  const probe = () => shareProbes(() => Promise.all(nodes.map((node) => node.probe())))
  if (probeMs !== undefined && nodes.length > 1) startProbes(nodes, { probeMs, probe })
  return {
    nodes,
    each: () => nodes.map((node) => createChainNodes(chainId, [node])),
    mostLogBlocks() {
      const well = nodes.filter((node) => !node.isCooling())
      return Math.max(...(well.length > 0 ? well : nodes).map((node) => node.mostLogBlocks()))
    },
    head: (timeoutMs) => Promise.any(nodes.map((node) => node.head(timeoutMs))),
    async request(request, isAbsent = () => false) {
      const answers: NodeAnswer[] = []
      const failures: string[] = []
      for (const node of inOrder(nodes, blocksOf(request))) {
        const answer = await askIfItHasRange(node, request).catch((error: Error) => {
          failures.push(error.message)
          return null
        })
        if (answer?.kind === 'good' && !isAbsent(answer.result)) return { result: answer.result }
        if (answer?.kind === 'error' && isRevert(answer.error)) return { error: answer.error }
        if (answer) answers.push(answer)
      }
      const second = answers.find(({ kind }) => kind !== 'error') ?? answers[0]
      if (!second)
        throw new NodesUnavailableError(
          `No node of chain ${chainId} answers: ${failures.join('; ') || 'none has these blocks'}`,
        )
      return second.kind === 'error' ? { error: second.error } : { result: second.result }
    },
  }
}

/**
 * A cooling node is still asked last: it may be the only one that is back. Before it come nodes that refused the logs
 * of so many blocks.
 */
function inOrder(nodes: RpcNode[], logBlocks: number): RpcNode[] {
  return nodes.toSorted(
    (a, b) =>
      Number(a.isCooling()) - Number(b.isCooling()) ||
      Number(a.mostLogBlocks() < logBlocks) - Number(b.mostLogBlocks() < logBlocks) ||
      a.failures() - b.failures() ||
      a.latencyMs() - b.latencyMs(),
  )
}

/** The number of blocks of a request for a range of logs; 0 for every other request. */
function blocksOf(request: JsonRpcRequest): number {
  const range = rangeOfLogs(request)
  return range ? Number(range.toBlock - range.fromBlock) + 1 : 0
}

/** A node that lags answers a range of blocks that it does not have yet with an empty list of logs. */
async function askIfItHasRange(node: RpcNode, request: JsonRpcRequest): Promise<NodeAnswer | null> {
  const range = rangeOfLogs(request)
  if (range && !(await node.hasBlock(range.toBlock))) return null
  return node.ask(request)
}

/** A node that lacks a block which another node showed so many probes ago stands still, or falls behind. */
const PATIENT_PROBES = 5

type Probing = { probeMs: number; probe: () => Promise<Probe[]> }

/** The timer alone does not keep the process alive. */
function startProbes(nodes: RpcNode[], { probeMs, probe }: Probing) {
  /** The highest block of each of the last probes, the newest last. */
  const highest: bigint[] = []
  const probeAll = async () => {
    const probes = await probe()
    nodes.forEach((node, index) => {
      const made = probes[index]
      if (made) node.note(made)
    })
    const heads = probes.map((made) => ('head' in made ? made.head : null))
    const [most] = heads.flatMap((head) => head ?? []).toSorted((a, b) => Number(b - a))
    if (most === undefined) return
    const [oldest] = highest
    // After a reorganisation the chain itself may be lower.
    const isKnown = highest.length === PATIENT_PROBES && oldest !== undefined && most >= oldest
    nodes.forEach((node, index) => {
      const head = heads[index] ?? null
      if (head === null) return
      if (isKnown && head < oldest) node.fallBehind()
      else node.recover()
    })
    highest.push(most)
    if (highest.length > PATIENT_PROBES) highest.shift()
  }
  setInterval(probeAll, probeMs).unref()
}
