#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readOpenApiDocument } from './openApiDocument.ts'
import { HELP, readOptions } from './readOptions.ts'
import { serveHttp } from './serveHttp.ts'
import { serverMaker } from './serverMaker.ts'
import { openShield } from './shield/openShield.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.transport === 'help') {
    process.stdout.write(HELP)
    return
  }
  const shield = options.shield && (await openShield(options.shield))
  const serverFor = serverMaker(await readOpenApiDocument(options.apiUrl), shield)
  if (options.transport === 'stdio') {
    serveStdio(() => serverFor(options))
    return
  }
  const server = await serveHttp({ ...options, onError: report }, serverFor)
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : options.port
  process.stderr.write(`MCP at http://${options.host}:${port}/mcp\n`)
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      server.close()
      server.closeAllConnections()
    })
}

function report(error: Error) {
  process.stderr.write(`causeway-mcp: ${error.message}\n`)
}

main().catch((error: Error) => {
  report(error)
  process.exitCode = 1
})
