import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { until } from './until.ts'

export type Received = {
  path: string
  headers: Record<string, string>
  body: string
  event: { id: string; type: string; sequence: number; [field: string]: unknown }
  at: number
}

/** Answers a request whose body has been read. */
export type Behaviour = (response: ServerResponse, received: Received) => void | Promise<void>

export type Receiver = {
  url: string
  received: Received[]
  /** Sets the answer from now on; by default it accepts. */
  behave(behaviour: Behaviour): void
  /** Resolves once this many requests have arrived; throws if they never do. */
  until(count: number): Promise<Received[]>
  stop(): Promise<void>
}

export const accept: Behaviour = (response) => void response.writeHead(204).end()
export const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end('{"said":"no"}')

/** A real HTTP server that keeps what it is sent. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  let behaviour = accept
  const server = createServer((request, response) => {
    void keep(request).then((kept) => {
      received.push(kept)
      return behaviour(response, kept)
    })
  })
  await listen(server, port)
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    received,
    behave: (next) => {
      behaviour = next
    },
    async until(count) {
      await until(
        () => received.length >= count,
        () => `${received.length} of ${count} requests came`,
      )
      return received
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listen(server: Server, port: number) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

async function keep(request: IncomingMessage): Promise<Received> {
  const body = await text(request)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  const path = request.url ?? ''
  return { path, headers, body, event: JSON.parse(body), at: Date.now() }
}

/** Whether the package of Standard Webhooks verifies a request with this secret. */
export function isVerified({ body, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
