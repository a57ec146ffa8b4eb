import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedBuilds } from '../../bench/seedBuilds.ts'
import {
  seededQueues,
  withdrawalAddressBook,
  withdrawalFacts,
} from '../../bench/withdrawalFacts.ts'
import { replaceReadViews, type ServedBuild } from '../../db/readViews/replaceReadViews.ts'
import { connect } from '../../db/sql.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { type ApiProcess, startApiProcess, untilReady } from '../support/apiProcess.ts'
import { giveKeyOf } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

const OLD_CHAIN = 999
/** What an index from before Earn's does not have. */
const NEW_TABLES = [
  'withdraw_order',
  'withdraw_demand',
  'withdrawal',
  'withdrawal_period',
  'vault_state',
  'vault_hour',
  'share_balance',
]

describe('while the served build of one chain is older than a table', () => {
  const queues = seededQueues(2_000)
  const ofChain = (isOld: boolean) => {
    const found = queues.find(({ chainId }) => (chainId === OLD_CHAIN) === isOld)
    if (!found) throw new Error('there are queues on every chain')
    return found
  }
  const [old, other] = [ofChain(true), ofChain(false)]
  let database: TestDatabase
  let sql: Sql
  let api: ApiProcess
  let folder: string
  const appSecret = randomBytes(32).toString('hex')

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 2 })
    const addressBook = withdrawalAddressBook(queues)
    const chains = withdrawalFacts(queues)
    await seedBuilds(sql, { databaseUrl: database.url, addressBook, chains })
    await sql.begin(async (transaction) => {
      const builds = await transaction<ServedBuild[]>`
        select postgres_schema as "postgresSchema", chain_id as "chainId"
        from app.index_build where state = 'served' order by chain_id`
      const schema = builds.find(({ chainId }) => chainId === OLD_CHAIN)?.postgresSchema
      for (const table of NEW_TABLES)
        await transaction.unsafe(`drop table ${schema}.${table} cascade`)
      await replaceReadViews(transaction, builds, parseAddressBook(addressBook, 'test').chains)
    })
    folder = await mkdtemp(join(tmpdir(), 'causeway-old-'))
    const file = join(folder, 'address-book.json')
    await writeFile(file, JSON.stringify(addressBook))
    api = await startApiProcess({
      databaseUrl: database.url,
      addressBook: file,
      appSecret,
      rpcUrls: Object.fromEntries(chains.map(({ id }) => [id, 'http://127.0.0.1:1'])),
    })
    await untilReady(api)
    await giveKeyOf(api.url, database.url, appSecret)
  }, 120_000)

  afterAll(async () => {
    await api?.stop()
    await sql?.end()
    await database?.drop()
    if (folder) await rm(folder, { recursive: true })
  })

  const there = `chainId = ${OLD_CHAIN}`
  const earn = (list: string, params: Record<string, string>) =>
    getJson(`${api.url}/v2/earn/${list}?${new URLSearchParams(params)}`)
  const withdrawals = (filter: string) => earn('withdrawalRequests', { filter })
  const volumes = (vaultAddress: string) =>
    earn('withdrawalVolumes', { vaultAddress, startTime: '1', endTime: '4000000000' })

  test.each([
    ['all requests', () => withdrawals('')],
    ['those of the chain', () => withdrawals(there)],
    ['those of a vault there', () => withdrawals(`vaultAddress = ${old.vault}`)],
    ['those of one index', () => withdrawals('orderIndex = 1')],
    ['positions there', () => earn('userPositions', { userAddress: old.vault, filter: there })],
    ['its TVLs', () => earn('vaultTvls', { filter: there, includeCurrent: 'false' })],
    ['its APYs', () => earn('vaultApys', { filter: there })],
    ['the volumes of a vault there', () => volumes(old.vault)],
  ])('error: %s: a list that lacks them is not given', async (_, ask) => {
    const { status, reason, headers } = await ask()
    expect({ status, reason }).toEqual({ status: 503, reason: 'INDEX_CATCHING_UP' })
    expect(headers.get('retry-after')).toBe('1')
  })

  test('behavior: other chains are answered as ever', async () => {
    const ofOthers = await withdrawals(`chainId = ${other.chainId}`)
    expect(ofOthers.body).toMatchObject({ withdrawalRequests: { length: 25 } })
    expect(ofOthers.headers.get('x-indexed-blocks')).toMatch(new RegExp(`^${other.chainId}=`))
    const ofVault = await withdrawals(`vaultAddress = ${other.vault} AND chainId != ${OLD_CHAIN}`)
    expect(ofVault.status).toBe(200)
    expect((await volumes(other.vault)).status).toBe(200)
  })

  test('behavior: what its tables have is answered too', async () => {
    const url = `${api.url}/v1/transit/orders?userAddress=${old.vault}`
    expect(await getJson(url)).toMatchObject({ status: 200, body: { orders: [] } })
  })
})
