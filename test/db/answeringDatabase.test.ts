import { connect, createServer } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findDatabase } from '../../processes/configuration/answeringDatabase.ts'

/** The URL of the tests' Postgres behind a port whose first connections are never answered. */
async function startLate(silent: number): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const { port, hostname } = url
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    client.on('error', () => {})
    if (connections <= silent) return
    const there = connect(Number(port), hostname)
    there.on('error', () => client.destroy())
    client.pipe(there).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  url.port = String(typeof address === 'object' ? address?.port : '')
  url.hostname = '127.0.0.1'
  // Without `sslmode`, a connection before these would ask whether the server takes TLS.
  url.search = '?connect_timeout=1&sslmode=disable'
  return url.href
}

test('behavior: a database whose first answer is late is asked once more', async () => {
  const DATABASE_URL = await startLate(1)
  await expect(findDatabase({ DATABASE_URL })).resolves.toMatchObject({})
})

test('error: a database that never answers is named', async () => {
  const DATABASE_URL = await startLate(99)
  await expect(findDatabase({ DATABASE_URL })).rejects.toThrow(
    /DATABASE_URL: the database at 127.0.0.1:\d+ cannot be used: timeout expired/,
  )
})
