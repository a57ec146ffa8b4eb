import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil } from '../../devnet/anvil.ts'
import { within } from '../../domain/loop/within.ts'
import { testAddressBook } from '../support/addressBook.ts'
import { type ApiProcess, startApiProcess } from '../support/apiProcess.ts'
import { freePorts } from '../support/freePorts.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

let folder: string
let database: TestDatabase
let gate: Gate
/** A node of chain 5 behind the URL of chain 1. */
let stranger: Anvil
let api: ApiProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-signals-'))
  database = await createTestDatabase()
  gate = await startGate(database.url, 'causeway-api\0')
  const [port = 0] = await freePorts(1)
  stranger = await startAnvil({ chainId: 5, port })
  const { environment, chains, tokens, transitRoutes } = testAddressBook
  const addressBook = join(folder, 'book.json')
  await writeFile(addressBook, JSON.stringify({ environment, chains, tokens, transitRoutes }))
  const dead = 'http://127.0.0.1:1'
  api = await startApiProcess({
    databaseUrl: gate.url,
    addressBook,
    // Another node is down, or the api would not start with this one.
    rpcUrls: { 1: `${stranger.rpcUrl},${dead}`, 4663: dead },
    appSecret: randomBytes(32).toString('hex'),
  })
})
afterAll(async () => {
  await api?.stop()
  await stranger.stop()
  await gate.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

async function ready(): Promise<number | null> {
  // A request fails while the api does not listen yet.
  return (await fetch(`${api.url}/ready`).catch(() => null))?.status ?? null
}

test('an api whose pool of queries has had no answer yet is not ready', async () => {
  await expect.poll(ready).toBe(503)
  await sleep(500)
  expect(await ready()).toBe(503)
  gate.open()
  await expect.poll(ready).toBe(200)
})

test('a node of another chain is named in the log, and not used', async () => {
  await expect
    .poll(async () => (await fetch(`${api.url}/health`)).json())
    .toMatchObject({ status: 'error', details: { 'rpc:1': { status: 'down' } } })
  const lines = () =>
    api
      .output()
      .split('\n')
      .filter((line) => line.includes('a node of another chain is not used'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  await expect.poll(lines).toEqual([
    expect.objectContaining({
      level: 50,
      chainId: 1,
      host: new URL(stranger.rpcUrl).host,
      cause: expect.stringContaining('expected a node of chain 1, this one answers 0x5'),
    }),
  ])
})

test('an api ends by itself, though Postgres does not answer any more', async () => {
  // If it does not, the end of the tests would wait for it.
  onTestFinished(() => api.kill())
  gate.silence()
  const isEnded = api.stop().then(() => true)
  expect(await within(PATIENCE_MS, isEnded)).toBe(true)
})

type Gate = { url: string; open(): void; silence(): void; stop(): Promise<void> }

/**
 * A proxy before Postgres that closes the connections of one application until it is opened, and passes nothing on any more
 * once it is silent.
 */
async function startGate(databaseUrl: string, application: string): Promise<Gate> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isOpen = false
  const server: Server = createServer((client) => {
    // Without a listener, a connection that the api breaks would end the tests.
    sockets.add(client.on('error', () => {}))
    client.once('data', (startup) => {
      if (!isOpen && startup.includes(application)) return client.destroy()
      const upstream = connect(Number(target.port), target.hostname)
      sockets.add(upstream.on('error', () => client.destroy()))
      upstream.write(startup)
      client.pipe(upstream).pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    open() {
      isOpen = true
    },
    silence() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
