import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import type { Logger } from '../logger.ts'

/** Serves `GET /metrics` on its own port, so that clients of the API cannot reach it. */
export async function serveMetrics(
  registry: Registry,
  { host, port, logger }: { host: string; port: number; logger: Logger },
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    } catch (error) {
      logger.error({ err: error }, 'metrics cannot be collected')
      response.writeHead(500).end()
    }
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://${host}:${address.port}/metrics`,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
