import { type EIP1193Parameters, type PublicClient, RpcRequestError } from 'viem'
import { z } from 'zod'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { parsedBody } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'

/** The node's own ways to change balances, time and accounts are for `npm run devnet` alone. */
const METHOD = /^eth_[a-zA-Z0-9]+$/

const pathSchema = z.object({ chainId: z.coerce.number().int().positive() })
const callSchema = z.object({
  id: z.union([z.number(), z.string()]),
  method: z.string().regex(METHOD, 'expected a method whose name begins with eth_'),
  params: z.array(z.unknown()).default([]),
})

/**
 * The nodes of a local world over JSON-RPC, for pages of this origin: their content-security policy allows no other, there
 * as in production.
 */
export const LOCAL_NODE_ROUTES: ConsoleRoutes = {
  'POST /local-nodes/:chainId': async ({ service }, { params, body }) => {
    const path = pathSchema.safeParse(params)
    if (!path.success)
      throw invalidFields([{ field: 'chainId', description: 'expected a chain id' }])
    const { id, method, params: args } = parsedBody(callSchema, body)
    const answer = await service.chains.read(path.data.chainId, (client) =>
      ask(client, { method, params: args }),
    )
    return { jsonrpc: '2.0', id, ...answer }
  },
}

async function ask(client: PublicClient, call: { method: string; params: unknown[] }) {
  try {
    // The node checks the parameters of a method that viem does not know here.
    return { result: (await client.request(call as EIP1193Parameters<never>)) ?? null }
  } catch (error) {
    const refusal = refusalIn(error)
    if (!refusal) throw error
    const { code, details: message, data } = refusal
    return { error: { code, message, ...(data === undefined ? {} : { data }) } }
  }
}

/** The error object of the node, which viem wraps. */
function refusalIn(error: unknown): RpcRequestError | null {
  if (error instanceof RpcRequestError) return error
  return error instanceof Error && error.cause ? refusalIn(error.cause) : null
}
