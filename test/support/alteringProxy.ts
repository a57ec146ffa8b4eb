import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Changes the JSON of an answer, or returns another one. `path` has no query. */
export type Alteration = (path: string, answer: unknown) => unknown

export type AlteringProxy = {
  url: string
  /** Null passes answers on as they are. */
  alter: Alteration | null
  stop(): Promise<void>
}

/** An HTTP proxy before a real API, which alters its answers: a hostile server. */
export async function startAlteringProxy(target: string): Promise<AlteringProxy> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method = 'GET', headers, url = '/' } = request
      const { host: _, connection: __, 'content-length': ___, ...sent } = headers
      const answer = await fetch(target + url, {
        method,
        headers: sent as Record<string, string>, // Node joins repeated headers.
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      const text = await answer.text()
      const { pathname } = new URL(url, target)
      const altered =
        proxy.alter && answer.ok
          ? JSON.stringify(await proxy.alter(pathname, JSON.parse(text)))
          : text
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(altered)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const proxy: AlteringProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alter: null,
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return proxy
}
