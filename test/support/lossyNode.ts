import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SeededRandom } from './seededRandom.ts'

/** `sends` is 1 for the next transaction. */
export type StrikeTime = { moment: 'before' | 'after'; sends: number }

export type LossyNode = {
  url: string
  /**
   * Calls `strike` once, at one of the next transactions that are sent through it: before the node has it,
   * or after the node took it and before the sender knows.
   */
  atSend(when: StrikeTime, strike: () => void): void
  stop(): Promise<void>
}

/** A proxy of a node that loses some requests and some answers. */
export async function startLossyNode(
  rpcUrl: string,
  { random, loss }: { random: SeededRandom; loss: number },
): Promise<LossyNode> {
  let strikes: (StrikeTime & { strike: () => void })[] = []

  function strikeAt(moment: StrikeTime['moment']) {
    const armed = strikes.filter((one) => one.moment === moment)
    for (const one of armed) one.sends -= 1
    const due = armed.filter(({ sends }) => sends === 0)
    strikes = strikes.filter((one) => !due.includes(one))
    for (const { strike } of due) strike()
    return due.length > 0
  }

  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const isSend = body.includes('eth_sendRawTransaction')
      if (isSend && strikeAt('before')) return void response.destroy()
      if (random.chance(loss)) return response.destroy()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
      const text = await answer.text()
      if (isSend && strikeAt('after')) return response.destroy()
      if (random.chance(loss)) return response.destroy()
      response.writeHead(200, headers).end(text)
    } catch {
      // The client has gone, or the node is stopping.
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    atSend(when, strike) {
      strikes.push({ ...when, strike })
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
