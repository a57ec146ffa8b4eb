import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type LossyNotifications = {
  /** The same database, through the proxy. */
  url: string
  /** Drops every notification for this time. The sessions stay open, so nobody notices. */
  lose(ms: number): Promise<void>
  /** How many were dropped. */
  lost(): number
  stop(): Promise<void>
}

/** The type byte of a NotificationResponse (Postgres documentation, "Message Formats"). */
const NOTIFICATION = 'A'.charCodeAt(0)
/** The type and the length of a message. */
const HEADER = 5

/** A proxy between a process and Postgres that can lose notifications. */
export async function startLossyNotifications(databaseUrl: string): Promise<LossyNotifications> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isLosing = false
  let lost = 0
  const isKept = (message: Buffer) => {
    if (!isLosing || message[0] !== NOTIFICATION) return true
    lost += 1
    return false
  }
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    client.pipe(upstream)
    upstream.on(
      'data',
      messageReader((message) => isKept(message) && client.write(message)),
    )
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket.setNoDelay())
      socket.on('error', () => other.destroy())
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    async lose(ms) {
      isLosing = true
      await sleep(ms)
      isLosing = false
    },
    lost: () => lost,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Cuts what a server sends into its messages. Without TLS each begins with a type and its length. */
function messageReader(onMessage: (message: Buffer) => void) {
  let pending: Buffer = Buffer.alloc(0)
  return (data: Buffer) => {
    pending = Buffer.concat([pending, data])
    for (;;) {
      if (pending.length < HEADER) return
      const end = 1 + pending.readUInt32BE(1)
      if (pending.length < end) return
      onMessage(pending.subarray(0, end))
      pending = pending.subarray(end)
    }
  }
}
