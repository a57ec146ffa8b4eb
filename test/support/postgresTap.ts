import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type PostgresTap = {
  /** The same database, through the tap. */
  url: string
  /** The text of every statement that was executed since the last call, prepared ones too. */
  takeStatements(): string[]
  stop(): Promise<void>
}

/** A proxy between a process and Postgres that records the executed statements. */
export async function startPostgresTap(databaseUrl: string): Promise<PostgresTap> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let executed: string[] = []
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const read = statementReader((statement) => executed.push(statement))
    client.on('data', read)
    client.pipe(upstream).pipe(client)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket.setNoDelay())
      socket.on('error', () => other.destroy())
      socket.once('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    takeStatements() {
      const taken = executed
      executed = []
      return taken
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Reads one session's frontend messages (Postgres documentation, "Message Formats"): Parse names a
 * statement, Bind refers to it, Query is one by itself. The startup message alone has no type byte.
 */
function statementReader(onStatement: (text: string) => void) {
  const prepared = new Map<string, string>()
  let pending: Buffer = Buffer.alloc(0)
  let isStarted = false

  function message(type: string, body: Buffer) {
    const [first = '', second = ''] = body.toString().split('\0')
    if (type === 'P') prepared.set(first, second)
    if (type === 'B') onStatement(prepared.get(second) ?? '')
    if (type === 'Q') onStatement(first)
  }

  return (data: Buffer) => {
    pending = Buffer.concat([pending, data])
    for (;;) {
      const typeBytes = isStarted ? 1 : 0
      if (pending.length < typeBytes + 4) return
      const end = typeBytes + pending.readUInt32BE(typeBytes)
      if (pending.length < end) return
      if (isStarted) message(String.fromCharCode(pending[0] ?? 0), pending.subarray(5, end))
      isStarted = true
      pending = pending.subarray(end)
    }
  }
}
