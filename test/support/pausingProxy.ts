import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type PausingProxy = {
  /** The same database, through the proxy. */
  url: string
  /** From now on it forwards nothing and closes nothing, as if the server's machine were gone. New connections get no answer. */
  pause(): void
  stop(): Promise<void>
}

/** A TCP proxy before Postgres. */
export async function startPausingProxy(databaseUrl: string): Promise<PausingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isPaused = false
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    if (isPaused) return
    const upstream = connect(Number(target.port), target.hostname)
    sockets.add(upstream)
    client.pipe(upstream).pipe(client)
    upstream.on('error', () => client.destroy())
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    pause() {
      isPaused = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
