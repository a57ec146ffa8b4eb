import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves the files of a folder as a host of static sites does: `/page` is `page.html`. */
export async function serveFolder(folder: string) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://any').pathname)
    const name = path.endsWith('/') ? `${path}index.html` : extname(path) ? path : `${path}.html`
    const file = await readFile(join(folder, name)).catch(() => null)
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    if (file) response.writeHead(200, { 'content-type': type }).end(file)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
