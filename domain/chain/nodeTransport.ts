import { type CustomTransport, custom, RpcRequestError } from 'viem'
import type { ChainNodes } from './chainNodes.ts'
import type { JsonRpcRequest } from './judgeResult.ts'

/** viem's transport to a chain's nodes. They do the fail-over themselves, so viem retries nothing. */
export function nodeTransport(chainId: number, nodes: ChainNodes): CustomTransport {
  return custom(
    {
      async request(body: JsonRpcRequest) {
        const response = await nodes.request(body)
        if ('result' in response) return response.result
        throw new RpcRequestError({ body, error: response.error, url: `chain ${chainId}` })
      },
    },
    { retryCount: 0 },
  )
}
