import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testAddressBook } from '../support/addressBook.ts'
import { startApiProcess, untilReady } from '../support/apiProcess.ts'
import { freePorts } from '../support/freePorts.ts'
import { createTestDatabase } from '../support/postgres.ts'

const MOST_CACHES = 15

/** The names in the first column of the table below a heading of the page. */
async function namesUnder(heading: string): Promise<string[]> {
  const page = await readFile(new URL('../../docs/design/caches.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const cells = [...own.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

/** The caches of an api that has answered a request with a key. */
async function cachesOfApi(): Promise<string[]> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'causeway-caches-'))
  started.defer(() => rm(folder, { recursive: true }))
  const database = await createTestDatabase()
  started.defer(database.drop)
  const { environment, chains, tokens, transitRoutes } = testAddressBook
  const addressBook = join(folder, 'book.json')
  await writeFile(addressBook, JSON.stringify({ environment, chains, tokens, transitRoutes }))
  const dead = 'http://127.0.0.1:1'
  const [metricsPort = 0] = await freePorts(1)
  const api = await startApiProcess({
    databaseUrl: database.url,
    addressBook,
    rpcUrls: { 1: dead, 4663: dead },
    appSecret: randomBytes(32).toString('hex'),
    variables: { RATE_LIMITS: 'on', METRICS_PORT: String(metricsPort) },
  })
  started.defer(api.stop)
  await untilReady(api)
  const headers = { 'x-api-key': `causeway_${'0'.repeat(16)}_${'0'.repeat(64)}` }
  expect((await fetch(`${api.url}/v1/transit/routes`, { headers })).status).toBe(401)
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return [...metrics.matchAll(/^causeway_cache_size\{cache="(\w+)"\}/gm)].map(
    ([, name = '']) => name,
  )
}

test('default: the page of caches has all of an api, and no others', async () => {
  const [caches, counters] = [await namesUnder('Caches'), await namesUnder('Counters of limits')]
  expect((await cachesOfApi()).toSorted()).toEqual([...caches, ...counters].toSorted())
  expect(caches.length).toBeLessThanOrEqual(MOST_CACHES)
})
