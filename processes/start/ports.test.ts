import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { assertPortsFree, PortTakenError } from './ports.ts'

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
      await expect(failure).rejects.toThrow(PortTakenError)
      await expect(failure).rejects.toThrow(`port ${port} (API_PORT) is taken`)
      if (process.platform === 'linux')
        await expect(failure).rejects.toThrow(`by process ${process.pid} (`)
    })
  })

  test('error: one port needed twice', async () => {
    const port = await withServer(async (taken) => taken)
    const wanted = ['A', 'B'].map((variable) => ({ port, variable, host: '127.0.0.1' }))
    await expect(assertPortsFree(wanted)).rejects.toThrow(`port ${port} (B) is needed twice`)
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
