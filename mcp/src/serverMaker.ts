import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { type ApiCaller, callOperation } from './callOperation.ts'
import type { OpenApiDocument } from './openApiDocument.ts'
import { toolsOf } from './toolsOf.ts'

const INSTRUCTIONS = `Causeway moves stablecoins between chains (Transit) and puts them into vaults (Earn). These tools read and prepare;
none signs, sends or stores anything. A prepared transaction has to be signed and sent by the user's own wallet,
after a check by checkCall of @causeway/sdk/shield: no tool here checks it.
Amounts are decimal text in base units: 1 USDC, with 6 decimals, is "1000000". Begin with listChains and listTokens.
A failed call is JSON with "reason", "message" and "requestId".`

/** Makes servers with a tool for each reading operation of the document, each in the name of one caller. */
export function serverMaker(document: OpenApiDocument): (caller: ApiCaller) => McpServer {
  // Schemas are compiled once, not per connection.
  const tools = toolsOf(document).map((tool) => {
    const { title, description } = tool
    const config = {
      title,
      description,
      inputSchema: fromJsonSchema<Record<string, unknown>>(tool.inputSchema),
      outputSchema: fromJsonSchema<Record<string, unknown>>(tool.outputSchema),
      annotations: { readOnlyHint: true, openWorldHint: true },
    }
    return { tool, config }
  })
  return (caller) => {
    const { title, version } = document.info
    const server = new McpServer(
      { name: 'causeway', title, version },
      { instructions: INSTRUCTIONS },
    )
    for (const { tool, config } of tools)
      server.registerTool(tool.name, config, (input, { mcpReq }) =>
        callOperation(caller, tool, { input, signal: mcpReq.signal }),
      )
    return server
  }
}
