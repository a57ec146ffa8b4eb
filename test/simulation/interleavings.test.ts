import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { compareSides } from '../../db/transitSides.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { ReadOrder } from '../../domain/transit/orders/readOrders.ts'
import { TABLES } from '../support/foldedRows.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { createOrderReader } from '../support/orderReader.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import {
  type OrderChain,
  randomKilledQuote,
  randomOrder,
  randomRouteApproval,
} from '../support/randomOrders.ts'
import { readHeads, readOrderRows, readOrderRowsById } from '../support/readOrderRows.ts'
import { readStats } from '../support/readStats.ts'
import { readVaultTables } from '../support/readVaultTables.ts'
import { startReplayNode } from '../support/replayNode.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { readStationEvents, type StationEvent } from '../support/stationEvents.ts'
import { stationHistory } from '../support/stationHistory.ts'
import { foldStats } from '../support/statsOracle.ts'
import { foldTransitOrders, type OracleOrder } from '../support/transitOracle.ts'
import { foldVaultTables } from '../support/vaultFold.ts'
import { vaultHistory } from '../support/vaultHistory.ts'
import { readVaultEvents, type VaultEvent, vaultContracts } from '../support/vaultLogs.ts'
import { siteInBook, type VaultSite, vaultSite } from '../support/vaultStory.ts'
import { roundsWithin } from './roundsWithin.ts'

const STEPS = 120
const SECONDS = 20
const ORDERS = 300
const KILLS = 3
const FINALITY_DEPTH = 65
const STATION = `0x${'5a'.repeat(20)}` as const
const FIRST_HEAD = 3
/** A step takes a tenth of a second, or longer on a busy machine. */

type Heads = Record<1 | 4663, number>
type Step = { heads: Heads; isKilled: boolean }

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const random = seededRandom(seed)
const steps = randomSteps()
const last = steps.at(-1)?.heads ?? { 1: 0, 4663: 0 }
const ETHEREUM: OrderChain = { chainId: 1, eid: 30_101, lastBlock: last[1] }
const OTHER: OrderChain = { chainId: 4663, eid: 30_416, lastBlock: last[4663] }
const CHAINS = [ETHEREUM, OTHER] as const
/** Vaults by chain; the older one's accountant is replaced half-way. */
const SITES = { 1: [vaultSite('11'), vaultSite('12', 'A')], 4663: [vaultSite('13')] }
const CONTRACTS = vaultContracts(addressBook())
const BOOK = parseAddressBook(addressBook(), 'interleavings')

describe(`interleavings of two chains, SEED=${seed}`, () => {
  let database: TestDatabase
  let sql: Sql
  /** They remember what they read, each at other times, as the replicas of the api do. */
  let replicas: [ReadOrder, ReadOrder]
  let indexer: Awaited<ReturnType<typeof startTestIndexer>>
  let events: StationEvent[]
  const vaultEvents: VaultEvent[] = []
  const nodes = new Map<number, Awaited<ReturnType<typeof startReplayNode>>>()

  beforeAll(async () => {
    process.stdout.write(`interleavings: SEED=${seed}\n`)
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 2 })
    replicas = [createOrderReader(sql, BOOK), createOrderReader(sql, BOOK)]
    events = await startNodes()
    indexer = await start()
    await untilIndexed(sql, { 1: FIRST_HEAD, 4663: FIRST_HEAD }).catch((error) => {
      throw new Error(`${error}\n${indexer.output()}`)
    })
  })

  afterAll(async () => {
    await indexer?.stop()
    for (const node of nodes.values()) await node.stop()
    await sql?.end()
    await database?.drop()
  })

  test(`behavior: after each of at most ${STEPS} random moves of the heads every row equals the oracle's`, async () => {
    const seen = new Set<string>()
    for (const round of roundsWithin(STEPS, SECONDS)) {
      const index = round - 1
      const { heads, isKilled } = steps[index] ?? { heads: last, isKilled: false }
      const where = `SEED=${seed}, step ${index}`
      for (const { chainId } of CHAINS) nodes.get(chainId)?.setHead(heads[chainId as 1 | 4663])
      if (isKilled) {
        await sleep(random.integer(0, 150))
        await indexer.kill()
        indexer = await start()
      }
      await untilLevel(heads, where)
      for (const { status } of expectedAt(heads).values()) seen.add(status)
    }
    expect([...seen].sort()).toEqual(['PENDING_BRIDGE', 'PROCESSED', 'PROCESSING', 'REMOVED'])
  })

  async function startNodes(): Promise<StationEvent[]> {
    const acts = [
      ...Array.from({ length: ORDERS }, () => randomOrder(random, CHAINS)).flat(),
      ...Array.from({ length: 20 }, () => randomKilledQuote(random, random.pick(CHAINS))),
      ...Array.from({ length: 20 }, () => randomRouteApproval(random, random.pick(CHAINS))),
    ]
    const logs = []
    for (const { chainId, lastBlock } of CHAINS) {
      const history = stationHistory(random, { chainId, station: STATION, acts, lastBlock })
      const sites = SITES[chainId as 1 | 4663]
      const vaultLogs = vaultHistory(random, { chainId, sites, lastBlock }, history.logs)
      const { timestamps } = history
      const all = { logs: [...history.logs, ...vaultLogs], timestamps }
      nodes.set(chainId, await startReplayNode({ chainId, ...all, head: FIRST_HEAD, lastBlock }))
      const placed = vaultLogs.map((log) => ({
        ...log,
        blockHash: keccak256(toHex(`block ${chainId} ${log.blockNumber}`)),
        blockTimestamp: timestamps[log.blockNumber] ?? 0,
      }))
      vaultEvents.push(...readVaultEvents(chainId, placed, CONTRACTS))
      for (const log of history.logs)
        logs.push({ ...log, blockTimestamp: history.timestamps[log.blockNumber] ?? 0 })
    }
    return readStationEvents(logs)
  }

  function start() {
    return startTestIndexer({
      databaseUrl: database.url,
      addressBook: addressBook(),
      chainIds: CHAINS.map(({ chainId }) => chainId),
      rpcUrls: Object.fromEntries([...nodes].map(([id, { url }]) => [id, url])),
      pollIntervalMs: 50,
    })
  }

  /** Until the target is reached, every served state must be right at the blocks that it names. */
  async function untilLevel(target: Heads, where: string) {
    const deadline = Date.now() + PATIENCE_MS
    let compared = ''
    while (Date.now() < deadline) {
      if (JSON.stringify(await readHeads(sql)) !== compared) {
        const { heads, rows } = await readOrderRows(sql, BOOK)
        compared = JSON.stringify(heads)
        const isReady = CHAINS.every(({ chainId }) => heads[chainId] !== undefined)
        const at = `${where} at ${compared}`
        if (isReady) expectEqual(rows, { expected: expectedAt(heads), where: at })
        if (compared === JSON.stringify(target)) {
          await checkVaults(at)
          await checkStats(heads, at)
          expect(await compareSides(sql), `${at}: copies`).toEqual([])
          return checkById(rows, at)
        }
      }
      await sleep(5)
    }
    throw new Error(`${where}: ${compared}, not ${JSON.stringify(target)}\n${indexer.output()}`)
  }

  async function checkVaults(where: string) {
    const { heads, tables } = await readVaultTables(sql)
    const expected = foldVaultTables(CONTRACTS, vaultEvents, heads)
    for (const table of TABLES) expect(tables[table], `${where}: ${table}`).toEqual(expected[table])
  }

  async function checkStats(heads: Record<number, number>, where: string) {
    const times = events.map(({ blockTimestamp }) => blockTimestamp)
    const interval = random.pick([null, 7_200, 86_400])
    const [after, until] = [Math.min(...times), Math.max(...times)].map(
      (time) => Math.ceil(time / 3_600) * 3_600,
    ) as [number, number]
    const time = { startTime: after, endTime: until, ...(interval && { interval }) }
    const chains = chainsAt(heads).map((chain) => ({ ...chain, headTime: 0 }))
    const expected = foldStats(chains, events, { ...time, decimals: () => 18 })
    const chainIds = CHAINS.map(({ chainId }) => chainId)
    expect(await readStats(sql, { after, until, interval, chainIds }), `${where}: stats`).toEqual(
      expected.map(({ latency: _, ...summed }) => summed),
    )
  }

  async function checkById(rows: OracleOrder[], where: string) {
    const chosen = rows.filter(() => random.chance(5 / ORDERS))
    const found = await readOrderRowsById(
      sql,
      BOOK,
      chosen.map(({ id }) => id as Hex),
    )
    const expected = new Map(chosen.map((row) => [row.id, row]))
    expectEqual(found, { expected, where: `${where}, by id` })
    const [replica, fresh] = [random.pick(replicas), createOrderReader(sql, BOOK)]
    for (const { id } of chosen) {
      const [remembered, read] = [await replica(id as Hex), await fresh(id as Hex)]
      expect(remembered.order, `${where}, of a replica: ${id}`).toEqual(read.order)
      // By its heads alone.
      const { order } = await replica(id as Hex)
      expect(order, `${where}, of a replica again: ${id}`).toEqual(read.order)
    }
  }

  function expectedAt(heads: Record<number, number>): Map<string, OracleOrder> {
    return foldTransitOrders(chainsAt(heads), events)
  }

  function chainsAt(heads: Record<number, number>) {
    return CHAINS.map(({ chainId, eid }) => ({
      chainId,
      eid,
      finalityDepth: FINALITY_DEPTH,
      head: heads[chainId] ?? -1,
    }))
  }
})

function expectEqual(
  rows: OracleOrder[],
  { expected, where }: { expected: Map<string, OracleOrder>; where: string },
) {
  expect(rows.length, `${where}: count of rows`).toBe(new Set(rows.map(({ id }) => id)).size)
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const id of new Set([...expected.keys(), ...found.keys()]))
    expect(found.get(id), `${where}: order ${id}`).toEqual(expected.get(id))
}

/** Moves the head of one chain or both by one to five blocks. */
function randomSteps(): Step[] {
  const killed = new Set<number>()
  while (killed.size < KILLS) killed.add(random.integer(1, STEPS - 1))
  let heads: Heads = { 1: FIRST_HEAD, 4663: FIRST_HEAD }
  return Array.from({ length: STEPS }, (_, index) => {
    const moved = random.pick([[1], [4663], [1, 4663]])
    const by = (chainId: number) => (moved.includes(chainId) ? random.integer(1, 5) : 0)
    heads = { 1: heads[1] + by(1), 4663: heads[4663] + by(4663) }
    return { heads, isKilled: killed.has(index) }
  })
}

function addressBook(): AddressBookFile {
  return {
    environment: 'DEVELOPMENT',
    tokens: [],
    transitRoutes: [],
    chains: CHAINS.map(({ chainId, eid }) => ({
      id: chainId,
      name: `chain ${chainId}`,
      eid,
      finalityDepth: FINALITY_DEPTH,
      blockTimeSeconds: 1,
      multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
      transitStation: { address: STATION, startBlock: 0 },
    })),
    vaults: CHAINS.flatMap(({ chainId, lastBlock }) =>
      SITES[chainId as 1 | 4663].map((site) => ({
        name: `vault ${site.places.vault}`,
        yieldType: 'CORE' as const,
        deployments: [inBook(site, { chainId, lastBlock })],
      })),
    ),
  }
}

function inBook(site: VaultSite, { chainId, lastBlock }: { chainId: number; lastBlock: number }) {
  const deployment = siteInBook(site, chainId)
  const [accountant] = deployment.accountants
  if (site.generation === 'HEAD' || !accountant) return deployment
  return { ...deployment, accountants: [{ ...accountant, toBlock: Math.floor(lastBlock / 2) }] }
}
