import { createServer, type IncomingMessage, type Server } from 'node:http'
import {
  hostHeaderValidation,
  type NodeMcpRequestHandler,
  originValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import type { ApiCaller } from './callOperation.ts'

export type HttpOptions = {
  apiUrl: string
  host: string
  port: number
  /** The names by which clients reach this server. Other `Host` and `Origin` headers are refused. */
  allowedHosts: string[]
  /** Gets the cause of every refusal and failure of this server. The client of a failure sees only a 500. */
  onError: (error: Error) => void
}

/** The package's types are not written for `exactOptionalPropertyTypes`. */
type NodeRequest = Parameters<NodeMcpRequestHandler>[0]

/** A request of MCP is a few kilobytes. */
const MAX_BODY_BYTES = 100_000

/**
 * Serves MCP over streamable HTTP at `/mcp`. Each caller has only the API key of its own header `x-api-key`. The checks of
 * `Host` and `Origin` keep web pages out that reach a local server by DNS rebinding.
 */
export async function serveHttp(
  { apiUrl, host, port, allowedHosts, onError }: HttpOptions,
  serverFor: (caller: ApiCaller) => McpServer,
): Promise<Server> {
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const headers = requestInfo?.headers
      const apiKey = headers?.get('x-api-key') ?? null
      return serverFor({ apiUrl, apiKey, forwardedFor: headers?.get('x-forwarded-for') ?? null })
    },
    { maxRequestBodySize: MAX_BODY_BYTES, onerror: onError },
  )
  const answer = toNodeHandler(handler, { onerror: onError })
  const isHostAllowed = hostHeaderValidation(allowedHosts)
  const isOriginAllowed = originValidation(allowedHosts)
  const server = createServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return
    // No parser: a listener that throws ends the process, and a request can name anything.
    if (request.url?.split('?', 1)[0] !== '/mcp') {
      response.writeHead(404).end()
      return
    }
    request.headers['x-forwarded-for'] = forwardedFor(request)
    answer(request as NodeRequest, response).catch((error: Error) => {
      onError(error)
      response.destroy()
    })
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, host, listening)
  })
  return server
}

/** The addresses of the caller and its proxies. The API needs them for quotas of clients without a key. */
function forwardedFor({ headers, socket }: IncomingMessage): string {
  return [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? []].flat().join(', ')
}
