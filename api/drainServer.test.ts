import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { drainServer } from './drainServer.ts'
import { createLifecycle } from './http/lifecycle.ts'

describe('drainServer', () => {
  test('behavior: a kept-alive connection whose request was in flight does not hold it up', async () => {
    const app = Fastify()
    app.get('/slow', async () => {
      await sleep(300)
      return 'done'
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const answer = fetch(`http://127.0.0.1:${port}/slow`).then((response) => response.text())
    await sleep(100)
    const startedAt = performance.now()
    await drainServer(app, { lifecycle: createLifecycle(), drainSeconds: 0 })
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(await answer).toBe('done')
  })

  test('behavior: an answer without an end is cut off', async () => {
    const app = Fastify()
    app.get('/endless', (_, reply) => {
      reply.hijack().raw.write('and so on')
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/endless`)
    await drainServer(app, { lifecycle: createLifecycle(), drainSeconds: 0, lastMs: 100 })
    await expect(answer.text()).rejects.toThrow()
  })
})
