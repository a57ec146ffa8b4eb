import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type NodeCall = { id: number; method: string; params: unknown[] }

/** An answer of a node instead of the true one; throws to answer with an error. */
export type Lie = (call: NodeCall, result: unknown) => unknown

export type LyingNode = {
  rpcUrl: string
  /** From now on its answers are these; without an argument, the true ones. */
  lie(lie?: Lie): void
  stop(): Promise<void>
}

/** A proxy of a real node that answers what a test wants it to. */
export async function startLyingNode(rpcUrl: string): Promise<LyingNode> {
  const tellTruth: Lie = (_, result) => result
  let answer = tellTruth
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const headers = { 'content-type': 'application/json' }
    const answered = await fetch(rpcUrl, { method: 'POST', headers, body })
    const told = (await answered.json()) as { result?: unknown }
    const call: NodeCall = { params: [], ...JSON.parse(body) }
    try {
      const lied = 'result' in told ? { ...told, result: await answer(call, told.result) } : told
      response.writeHead(200, headers).end(JSON.stringify(lied))
    } catch {
      response.writeHead(500).end()
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie(lie = tellTruth) {
      answer = lie
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
