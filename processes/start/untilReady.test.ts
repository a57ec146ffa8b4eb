import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { NotReadyError, untilApiReady } from './untilReady.ts'

const { signal } = new AbortController()

describe('untilApiReady', () => {
  test('behavior: an api that works is waited for, however long it takes', async () => {
    const api = await startApi((asked) => (asked > 8 ? 200 : 503))
    await untilApiReady(api.url, { hasMoved: async () => true, signal, quietMs: 100 })
    expect(api.asked()).toBeGreaterThan(8)
    api.stop()
  })

  test('error: nothing moves', async () => {
    const api = await startApi(() => 503)
    const waiting = untilApiReady(api.url, { hasMoved: async () => false, signal, quietMs: 100 })
    await expect(waiting).rejects.toThrow(NotReadyError)
    api.stop()
  })
})

async function startApi(statusOf: (asked: number) => number) {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.writeHead(statusOf(asked)).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => asked,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
