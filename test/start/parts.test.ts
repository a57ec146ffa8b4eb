import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { startAnvil } from '../../devnet/anvil.ts'
import { runTraffic } from '../../devnet/traffic.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { freePorts } from '../support/freePorts.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import {
  createProductFolder,
  launchProduct,
  leftovers,
  type Product,
  type ProductFolder,
  startProduct,
} from './startedProduct.ts'

type Forks = { rpcUrls: Record<number, string>; stop(): Promise<void> }

/** External parts: a database, and automining nodes that fork the nodes of a deployed world. */
describe('npm start with given parts', () => {
  let folder: ProductFolder
  let origin: TestWorld
  let forks: Forks
  let database: TestDatabase
  let given: Record<string, string>

  beforeAll(async () => {
    folder = await createProductFolder()
    origin = await startTestWorld([1, 4663])
    forks = await forkAll(origin.world)
    database = await createTestDatabase()
    const addressBook = join(folder.dataDirectory, 'given.json')
    await mkdir(folder.dataDirectory, { recursive: true })
    await writeFile(addressBook, JSON.stringify(origin.addressBook))
    given = {
      DATABASE_URL: database.url,
      ADDRESS_BOOK: addressBook,
      INDEX_GROUPS: '1,4663',
      // The first node of each chain is down, so the second is used.
      ...Object.fromEntries(
        Object.entries(forks.rpcUrls).map(([id, url]) => [
          `RPC_URL_${id}`,
          `http://127.0.0.1:1,${url}`,
        ]),
      ),
    }
  })
  afterAll(async () => {
    await forks.stop()
    await origin.stop()
    await database.drop()
    await folder.remove()
  })

  test('default', async () => {
    const product = await startProduct(folder, given)
    try {
      expect(Object.keys(product.run.pids).sort()).toEqual([
        'api',
        'indexer-1-4663',
        'start',
        'worker',
      ])
      expect(product.run.databaseUrl).toBe(database.url)
      const world = { ...origin.world, rpcUrls: forks.rpcUrls }
      const orderId = await placeOrder(world)
      await expect.poll(() => statusOf(product, orderId)).toBe(200)
    } finally {
      product.process.kill('SIGTERM')
      await product.ended
    }
    expect(await leftovers(folder, product.run)).toEqual([])
  })

  test('behavior: --fork forks the nodes by itself, with the contracts of a book, and leaves theirs alone', async () => {
    const before = await placeOrder(origin.world)
    const parameters = Object.entries(origin.world.rpcUrls).flatMap(([id, url]) => [
      '--fork',
      `${id}=${url}`,
    ])
    const book = { ADDRESS_BOOK: given.ADDRESS_BOOK ?? '', INDEX_GROUPS: '1,4663' }
    const product = await startProduct(folder, book, parameters)
    let after = ''
    try {
      expect(Object.keys(product.run.pids).sort()).toEqual([
        'anvil-1',
        'anvil-4663',
        'api',
        'indexer-1-4663',
        'postgres',
        'start',
        'worker',
      ])
      expect(await statusOf(product, before)).toBe(200)
      const world = { ...origin.world, rpcUrls: product.run.rpcUrls }
      after = await placeOrder(world)
      await expect.poll(() => statusOf(product, after)).toBe(200)
      const heads = (where: World) =>
        Promise.all([1, 4663].map((id) => worldClient(where, id).getBlockNumber()))
      const [forked, theirs] = [await heads(world), await heads(origin.world)]
      expect(forked.every((head, index) => head > (theirs[index] ?? 0n))).toBe(true)
    } finally {
      product.process.kill('SIGTERM')
      await product.ended
    }
    expect(await leftovers(folder, product.run)).toEqual([])
    // The next fork begins at the nodes again, and so does the index.
    const next = await startProduct(folder, book, parameters)
    try {
      expect([await statusOf(next, before), await statusOf(next, after)]).toEqual([200, 404])
    } finally {
      next.process.kill('SIGTERM')
      await next.ended
    }
  })

  test('error: every bad variable is named at once', async () => {
    const { ended, output } = launchProduct({
      ...folder.environment,
      API_PORT: 'many',
      LOG_LEVEL: 'loud',
      INDEX_GROUPS: '1;;2',
      RPC_URL_1: 'ftp://one.example',
      WS_URL_4663: 'https://one.example',
    })
    expect(await ended).toBe(1)
    const named = [
      'API_PORT',
      'LOG_LEVEL',
      'INDEX_GROUPS',
      'RPC_URL_1',
      'WS_URL_4663',
      'ADDRESS_BOOK',
    ]
    for (const name of named) expect(output()).toContain(`  ${name}: `)
    expect(output()).not.toContain('    at ')
  })

  test('error: nodes without an address book', async () => {
    const { ended, output } = launchProduct({ ...folder.environment, ...given, ADDRESS_BOOK: '' })
    expect(await ended).toBe(1)
    expect(output()).toContain('ADDRESS_BOOK: is not set')
  })

  test('error: a taken port is named with its variable and holder', async () => {
    const [port = 0] = await freePorts(1)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const { ended, output } = launchProduct({
      ...folder.environment,
      ANVIL_BASE_PORT: String(port - 1),
    })
    expect(await ended).toBe(1)
    server.close()
    expect(output()).toContain(`port ${port} (ANVIL_BASE_PORT + 1) is taken`)
    if (process.platform === 'linux') expect(output()).toContain(`by process ${process.pid} (`)
  })
})

async function forkAll({ rpcUrls }: World): Promise<Forks> {
  const ids = Object.keys(rpcUrls).map(Number)
  const ports = await freePorts(ids.length)
  const anvils = await Promise.all(
    ids.map((chainId, index) =>
      startAnvil({ chainId, port: ports[index] ?? 0, forkUrl: rpcUrls[chainId] ?? '' }),
    ),
  )
  return {
    rpcUrls: Object.fromEntries(anvils.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])),
    async stop() {
      await Promise.all(anvils.map((anvil) => anvil.stop()))
    },
  }
}

async function placeOrder(world: World): Promise<string> {
  const lines: string[] = []
  await runTraffic({
    world,
    users: DEVNET_USERS.slice(3, 4),
    perMinute: 600,
    count: 1,
    print: (line) => lines.push(line),
  })
  return lines[0]?.split(' ')[0] ?? ''
}

async function statusOf({ run }: Product, orderId: string): Promise<number> {
  return (await fetch(`${run.apiUrl}/v1/transit/orders/${orderId}`)).status
}
