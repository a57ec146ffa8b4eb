import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { EnvironmentError } from './environmentError.ts'
import { assertPortsFetchable, assertPortsFree } from './ports.ts'

describe('assertPortsFree', () => {
  test('default', async () => {
    const port = await withServer(async (taken) => taken)
    await expect(assertPortsFree([{ port, variable: 'A', host: '127.0.0.1' }])).resolves.toBe(
      undefined,
    )
  })

  test('error: names each taken port, its variable and its process', async () => {
    await withServer(async (port) => {
      const wanted = { port, host: '127.0.0.1' }
      const failure = assertPortsFree([{ ...wanted, variable: 'API_PORT' }])
      await expect(failure).rejects.toThrow(EnvironmentError)
      await expect(failure).rejects.toThrow(`API_PORT: port ${port} is taken`)
      if (process.platform === 'linux')
        await expect(failure).rejects.toThrow(`by process ${process.pid} (`)
    })
  })

  test('error: one port needed twice', async () => {
    const port = await withServer(async (taken) => taken)
    const wanted = ['A', 'B'].map((variable) => ({ port, variable, host: '127.0.0.1' }))
    await expect(assertPortsFree(wanted)).rejects.toThrow(`B: port ${port} is that of A too`)
  })

  test('error: a host of another machine', async () => {
    const elsewhere = { port: 4_000, variable: 'A', host: '192.0.2.1', hostVariable: 'API_HOST' }
    await expect(assertPortsFree([elsewhere])).rejects.toThrow(
      'API_HOST: this machine has no address',
    )
  })
})

describe('assertPortsFetchable', () => {
  test('default: only ports that `fetch` calls count', async () => {
    const called = { port: 4_000, variable: 'API_PORT', host: '127.0.0.1', isFetched: true }
    const other = { port: 6_000, variable: 'POSTGRES_PORT', host: '127.0.0.1' }
    await expect(assertPortsFetchable([called, other])).resolves.toBe(undefined)
  })

  test('error: a port that `fetch` refuses', async () => {
    const wanted = [6_000, 6_666].map((port) => ({
      port,
      variable: 'API_PORT',
      host: '127.0.0.1',
      isFetched: true,
    }))
    await expect(assertPortsFetchable(wanted)).rejects.toThrow(
      /API_PORT: port 6000 is refused by browsers and by Node[\s\S]*port 6666 is refused/,
    )
  })
})

async function withServer<Result>(run: (port: number) => Promise<Result>): Promise<Result> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await run((server.address() as AddressInfo).port)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
