import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'

/**
 * The fault of a node; `well` is a plain proxy. `errors` are of HTTP, `faults` of
 * JSON-RPC; `unknownTransactions` names transactions in logs that no block has, `systemLogs` adds a log of such a transaction
 * by a stranger's contract, with the index of another, `nullReceipts`
 * and `shiftedReceipts` lack the receipt or have other log indexes in it, `hiddenLogs` has no logs, `leftOutLogs` lacks the last one, `capped` refuses the
 * logs of too many blocks; `lossy` drops one call in ten, `lostAnswers` the answer of one in ten, `slow` answers each after `SLOW_MS`.
 */
export type Ailment =
  | 'well'
  | 'errors'
  | 'faults'
  | 'garbage'
  | 'otherChain'
  | 'tooMany'
  | 'oldHeads'
  | 'silent'
  | 'slow'
  | 'unknownTransactions'
  | 'systemLogs'
  | 'nullReceipts'
  | 'shiftedReceipts'
  | 'hiddenLogs'
  | 'leftOutLogs'
  | 'capped'
  | 'lossy'
  | 'lostAnswers'

/** Longer than a read of a chain may take. */
export const SLOW_MS = 5_000

export type FaultyNode = {
  rpcUrl: string
  wsUrl: string
  /** `blocks`: how many `oldHeads` stands below the present head, or the most that `capped` gives logs of. */
  fall(ailment: Ailment, blocks?: number): Promise<void>
  /** The methods that were called over HTTP since the last call of this. */
  takeCalls(): string[]
  stop(): Promise<void>
}

type Targets = { rpcUrl: string; wsUrl: string; other: { rpcUrl: string; wsUrl: string } }
type BlockPart = { number?: string; blockNumber?: string } | null
type Call = { id: number; method: string; params?: unknown[] }

/** A proxy of a real node that can answer wrongly, fail or be silent, over HTTP and websocket. */
export async function startFaultyNode({ rpcUrl, wsUrl, other }: Targets): Promise<FaultyNode> {
  let ailment: Ailment = 'well'
  const calls: string[] = []
  /** The head at which a node with old heads stopped. */
  let stoodAt = 0n
  let cap = 0
  const ask = async (url: string, call: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body })).json() as Promise<{
      result: unknown
    }>
  }

  async function reply(call: Call, response: ServerResponse) {
    calls.push(call.method)
    const send = (body: object) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...body }))
    switch (ailment) {
      case 'silent':
        return
      case 'errors':
        return response.writeHead(500).end('<html>internal</html>')
      case 'faults':
        return send({ error: { code: -32603, message: 'Internal error' } })
      case 'tooMany':
        return response.writeHead(429, { 'retry-after': '1' }).end('{"error":"slow down"}')
      case 'garbage':
        return Math.random() < 0.3
          ? response.end('<html>')
          : send({ result: nonsense(call.method) })
      case 'lossy':
        if (Math.random() < 0.1) return response.destroy()
        break
      case 'slow':
        await sleep(SLOW_MS, undefined, { ref: false })
        break
      case 'oldHeads':
        return send({ result: await asOf(call) })
    }
    const answer = await ask(ailment === 'otherChain' ? other.rpcUrl : rpcUrl, call)
    if (ailment === 'capped' && blocksOf(call) > cap)
      return send({ error: { code: -32005, message: 'not on this plan' } })
    if (ailment === 'lostAnswers' && Math.random() < 0.1) return response.destroy()
    send(changed(ailment, call.method, answer))
  }

  /** The node's answer as if no block had followed the one where it stopped. */
  async function asOf({ method, params = [] }: Call): Promise<unknown> {
    const old = `0x${stoodAt.toString(16)}`
    const [first, ...rest] = params
    const isAbove =
      typeof first === 'string' &&
      first.startsWith('0x') &&
      first.length < 18 &&
      BigInt(first) > stoodAt
    if (method === 'eth_blockNumber') return old
    if (method === 'eth_getBlockByNumber' && isAbove) return null
    const pinned = first === 'latest' ? [old, ...rest] : params
    const { result } = await ask(rpcUrl, { method, params: pinned })
    if (method === 'eth_getLogs') return (result as BlockPart[]).filter(isKnown)
    return isKnown(result as BlockPart) ? result : null
  }

  function isKnown(part: BlockPart): boolean {
    const number = part?.number ?? part?.blockNumber
    return number === undefined || BigInt(number) <= stoodAt
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await reply(JSON.parse(Buffer.concat(chunks).toString()) as Call, response).catch(() =>
      response.destroy(),
    )
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    if (ailment === 'errors' || ailment === 'tooMany') return socket.terminate()
    const upstream = new WebSocket(ailment === 'otherChain' ? other.wsUrl : wsUrl)
    const waiting: string[] = []
    upstream.on('open', () => {
      for (const text of waiting.splice(0)) upstream.send(text)
    })
    upstream.on('message', (data) => {
      if (ailment === 'silent' || ailment === 'oldHeads') return
      socket.send(
        ailment === 'garbage'
          ? '{"method":"eth_subscription","params":{"result":7}}'
          : String(data),
      )
    })
    upstream.on('error', () => socket.terminate())
    upstream.on('close', () => socket.terminate())
    socket.on('message', (data) =>
      upstream.readyState === WebSocket.OPEN
        ? upstream.send(String(data))
        : waiting.push(String(data)),
    )
    socket.on('close', () => upstream.terminate())
  })
  const dropSockets = () => {
    for (const socket of sockets.clients) socket.terminate()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    rpcUrl: `http://${host}`,
    wsUrl: `ws://${host}`,
    async fall(next, blocks = 0) {
      const { result } = await ask(rpcUrl, { method: 'eth_blockNumber', params: [] })
      stoodAt = BigInt(String(result)) - BigInt(next === 'oldHeads' ? blocks : 0)
      cap = blocks
      ailment = next
      // A node that turns silent keeps its connections, which is what makes it hard to notice.
      if (next !== 'silent' && next !== 'oldHeads') dropSockets()
    },
    takeCalls: () => calls.splice(0),
    async stop() {
      dropSockets()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The answer, with what this ailment makes of it. */
function changed(ailment: Ailment, method: string, answer: { result: unknown }): object {
  const { result } = answer
  if (method === 'eth_getLogs' && Array.isArray(result)) {
    if (ailment === 'hiddenLogs') return { ...answer, result: [] }
    if (ailment === 'leftOutLogs') return { ...answer, result: result.slice(0, -1) }
    if (ailment === 'unknownTransactions') return { ...answer, result: result.map(ofNoTransaction) }
    if (ailment === 'systemLogs' && result.length > 0)
      return { ...answer, result: [...result, systemLog(result[0])] }
  }
  if (method === 'eth_getTransactionReceipt' && result) {
    const { logs } = result as { logs: { logIndex: `0x${string}` }[] }
    const shifted = logs.map((log) => ({
      ...log,
      logIndex: `0x${(Number(log.logIndex) + 7).toString(16)}`,
    }))
    if (ailment === 'nullReceipts') return { ...answer, result: null }
    if (ailment === 'shiftedReceipts') return { ...answer, result: { ...result, logs: shifted } }
  }
  return answer
}

/** The number of blocks of a request for logs. */
function blocksOf({ method, params: [filter] = [] }: Call): number {
  const { fromBlock, toBlock } = (filter ?? {}) as Record<string, string | undefined>
  return method === 'eth_getLogs' && toBlock ? Number(toBlock) - Number(fromBlock) + 1 : 0
}

/** A log as of a transaction of the system, which some chains leave out of their blocks. */
function ofNoTransaction(log: object) {
  return { ...log, transactionHash: `0x${'ab'.repeat(32)}`, transactionIndex: '0x7fffffff' }
}

/** A log of the system beside another: its index is counted anew. */
function systemLog(log: object) {
  return { ...ofNoTransaction(log), address: `0x${'5e'.repeat(20)}` }
}

function nonsense(method: string): unknown {
  const answers: Record<string, unknown> = {
    eth_chainId: '0x1',
    eth_blockNumber: 'soon',
    eth_getLogs: [{ blockHash: 7 }],
    eth_getBlockByNumber: { number: '0x1', hash: 'none' },
    eth_getBlockByHash: [],
  }
  return answers[method] ?? 'nonsense'
}
