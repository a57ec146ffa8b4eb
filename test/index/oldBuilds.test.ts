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
import { grantRights } from '../../db/grantRights.ts'
import { replaceReadViews } from '../../db/readViews/replaceReadViews.ts'
import type { ServedBuild } from '../../db/readViews/servedBuild.ts'
import { connect } from '../../db/sql.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { type ApiProcess, startApiProcess, untilReady } from '../support/apiProcess.ts'
import { giveKeyOf } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

const OLD_CHAIN = 999
/** The tables that an index from before Earn lacks. */
const NEW_TABLES = [
  'withdrawal_request',
  'withdrawal_demand',
  'withdrawal',
  'withdrawal_period',
  'vault_state',
  'vault_hour',
  'share_balance',
  'vault_activity',
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
    await agePostgresSchema(sql, {
      addressBook,
      chainId: OLD_CHAIN,
      change: (schema) => NEW_TABLES.map((table) => `drop table ${schema}.${table} cascade`),
    })
    const rpcUrls = Object.fromEntries(chains.map(({ id }) => [id, 'http://127.0.0.1:1']))
    ;({ api, folder } = await startApi({
      databaseUrl: database.url,
      addressBook,
      appSecret,
      rpcUrls,
    }))
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
    ['activity there', () => earn('activity', { filter: `vaultAddress = ${old.vault}` })],
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

type Aging = {
  addressBook: AddressBookFile
  chainId: number
  /** The statements that change a Postgres schema to the form of an older version. */
  change: (schema: string) => string[]
}

/** Makes a chain's served build an older one, and replaces the views. */
async function agePostgresSchema(sql: Sql, { addressBook, chainId, change }: Aging) {
  await sql.begin(async (transaction) => {
    const builds = await transaction<ServedBuild[]>`
      select postgres_schema as "postgresSchema", chain_id as "chainId"
      from app.index_build where state = 'served' order by chain_id`
    const served = builds.find((build) => build.chainId === chainId)
    for (const statement of change(String(served?.postgresSchema)))
      await transaction.unsafe(statement)
    await replaceReadViews(transaction, builds, parseAddressBook(addressBook, 'test').chains)
  })
  // The owner made the builds and the views.
  await grantRights(sql)
}

type ApiOptions = Parameters<typeof startApiProcess>[0] & { databaseUrl: string; appSecret: string }

async function startApi({
  addressBook,
  ...options
}: Omit<ApiOptions, 'addressBook'> & { addressBook: AddressBookFile }) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-old-'))
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(addressBook))
  const api = await startApiProcess({ ...options, addressBook: file })
  await untilReady(api)
  return { api, folder }
}
