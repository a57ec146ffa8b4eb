import type { JsonRpcRequest } from '../../domain/chain/judgeResult.ts'
import { type JsonRpcResponse, lastBlockOfRange } from './jsonRpc.ts'
import type { NodeAnswer, RpcNode } from './rpcNode.ts'

/** The nodes of one chain as one. */
export type Upstream = {
  /**
   * The first good answer of any node. With none, an answer that something is absent; then an error
   * object. Throws `NodesUnavailableError`.
   */
  request(
    request: JsonRpcRequest,
    isAbsent?: (result: unknown) => boolean,
  ): Promise<JsonRpcResponse>
  nodes: RpcNode[]
}

/** No node of the chain gave an answer that can be used. */
export class NodesUnavailableError extends Error {
  override name = 'NodesUnavailableError'
}

/** Asks the nodes in the order of their health. A node that lacks a block may have a sister that does not. */
export function createUpstream(chainId: number, nodes: RpcNode[]): Upstream {
  return {
    nodes,
    async request(request, isAbsent = () => false) {
      const answers: NodeAnswer[] = []
      for (const node of inOrder(nodes)) {
        const answer = await askFairly(node, request).catch(() => null)
        if (answer?.kind === 'good' && !isAbsent(answer.result)) return { result: answer.result }
        if (answer) answers.push(answer)
      }
      const second = answers.find(({ kind }) => kind !== 'error') ?? answers[0]
      if (!second) throw new NodesUnavailableError(`No node of chain ${chainId} answers`)
      return second.kind === 'error' ? { error: second.error } : { result: second.result }
    },
  }
}

/** A cooling node is still asked last: it may be the only one that is back. */
function inOrder(nodes: RpcNode[]): RpcNode[] {
  return nodes.toSorted(
    (a, b) => Number(a.isCooling()) - Number(b.isCooling()) || a.failures() - b.failures(),
  )
}

/** Asked for logs of blocks it does not have, a node that lags says that there are none. */
async function askFairly(node: RpcNode, request: JsonRpcRequest): Promise<NodeAnswer | null> {
  const last = lastBlockOfRange(request)
  if (last !== null && !(await node.hasBlock(last))) return null
  return node.ask(request)
}
