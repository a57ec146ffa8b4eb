import { deepStrictEqual } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type Hex, isHash } from 'viem'
import { connect } from '../../db/sql.ts'
import { compareSides } from '../../db/transitSides.ts'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { startExecutor } from '../../devnet/bots/executor.ts'
import { startRelayer } from '../../devnet/bots/relayer.ts'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import { runTraffic } from '../../devnet/traffic.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { createLogger } from '../../processes/logger.ts'
import { startTestWorld } from '../support/anvils.ts'
import { type ApiProcess, startApiProcess, untilAnswering } from '../support/apiProcess.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { startLossyNotifications } from '../support/lossyNotifications.ts'
import { readOrderRows } from '../support/readOrderRows.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { foldTransitOrders } from '../support/transitOracle.ts'
import { until } from '../support/until.ts'
import { startAsking } from './answerLog.ts'
import { createChainHistory } from './chainHistory.ts'
import { createMemory } from './memory.ts'
import { pathsOf } from './randomTraffic.ts'
import { roundsWithin } from './roundsWithin.ts'
import { createVaultTraffic } from './vaultTraffic.ts'
import { checkVaultTables } from './vaultTruth.ts'

export type CrashOptions = {
  databaseUrl: string
  kills: number
  /** After these a third of them is enough. */
  seconds?: number
  seed: number
  print: (line: string) => void
}

export type CrashReport = {
  /** Per kill, the time from its last kill until answers are at the chain's old head again. */
  backMs: number[]
  orders: number
  /** The number of rows in the vaults' tables at the end. */
  vaultRows: number
  answers: number
  catchingUp: number
  /** Answers that were a 304. */
  unchanged: number
  /** The notifications that one of the two replicas lost. */
  lostNotifications: number
  /** Requests that met the API while it restarted. */
  unreached: number
}

type Indexer = Awaited<ReturnType<typeof startTestIndexer>>
type Victim = 'launcher' | 'group'

const OLD_BLOCKS = 150
const RESTART_MS = 100
/** At this kill, the second replica begins to lose its notifications for a while. */
const LOSING_KILL = 2
const LOSING_MS = 10_000
/** On a slow machine the rounds end before so many answers were a 304, and the history goes on until then. */
export const LEAST_UNCHANGED = 50

/**
 * Kills indexers of six chains with blocks of one second, at random moments and again while they restart,
 * and restarts one of two API processes, while orders are placed, executed and polled, every other time by
 * `ETag`. One API loses its notifications for ten seconds. No answer may be older than an earlier one, and in the end the index must equal the oracle's result from the nodes' logs.
 */
export async function runCrashRounds(options: CrashOptions): Promise<CrashReport> {
  const { databaseUrl, kills, seconds, seed, print } = options
  const random = seededRandom(seed)
  const started = new AsyncDisposableStack()
  const chainIds = PLANNED_CHAINS.map(({ id }) => id)
  const sql = connect(databaseUrl, { applicationName: 'simulation', max: 1 })
  started.defer(() => sql.end())
  try {
    const nodes = await startTestWorld(chainIds, { blockTimeSeconds: 1, withVaults: true })
    started.defer(nodes.stop)
    const { world, addressBook, wsUrls } = nodes
    const indexers = new Map<number, Indexer>()
    const start = async (chainId: number) => {
      const of = { databaseUrl, addressBook, chainIds: [chainId], rpcUrls: world.rpcUrls, wsUrls }
      indexers.set(chainId, await startTestIndexer(of))
    }
    started.defer(async () => {
      await Promise.all([...indexers.values()].map((indexer) => indexer.stop()))
    })
    await Promise.all(chainIds.map(start))
    const notifications = await startLossyNotifications(databaseUrl)
    started.defer(notifications.stop)
    const apis = await startApis([databaseUrl, notifications.url], { world, addressBook })
    started.defer(apis.stop)
    // After a restart an index that has run for a while has older heads and rows, not none.
    await Promise.all(chainIds.map((id) => worldClient(world, id).mine({ blocks: OLD_BLOCKS })))
    await untilIndexed(sql, Object.fromEntries(chainIds.map((id) => [id, OLD_BLOCKS])))

    const traffic = startWorldTraffic(world, seed)
    started.defer(traffic.stop)
    const asking = startAsking(apis.urls, () => pathsOf(traffic.placed), { pauseMs: 40 })
    started.defer(asking.stop)
    const memory = createMemory()
    const report: CrashReport = {
      backMs: [],
      orders: 0,
      vaultRows: 0,
      answers: 0,
      catchingUp: 0,
      unchanged: 0,
      lostNotifications: 0,
      unreached: 0,
    }

    let losing = Promise.resolve()
    function checkAnswers() {
      const answers = asking.take()
      for (const answer of answers) memory.check(answer)
      report.answers += answers.length
      report.catchingUp += answers.filter(({ status }) => status === 503).length
      report.unreached += answers.filter(({ status }) => status === 0).length
    }

    for (const kill of roundsWithin(kills, seconds)) {
      await sleep(random.integer(0, 3_000))
      if (kill % 5 === 0) apis.restart()
      if (kill === LOSING_KILL) losing = notifications.lose(LOSING_MS)
      const chainId = random.pick(chainIds as [number, ...number[]])
      const { block: before } = await progressOf(sql, chainId)
      let killedAt = performance.now()
      const victim = random.pick<Victim>(['launcher', 'group'])
      await indexers.get(chainId)?.kill(victim)
      await sleep(RESTART_MS)
      const { block: last } = await progressOf(sql, chainId)
      await start(chainId)
      // Restarts need the most tests.
      if (random.chance(0.3)) {
        await sleep(random.integer(200, 1_800))
        killedAt = performance.now()
        await indexers.get(chainId)?.kill('group')
        await sleep(RESTART_MS)
        await start(chainId)
      }
      await untilBack(sql, chainId, Math.max(before, last))
      const backMs = performance.now() - killedAt
      report.backMs.push(backMs)
      print(
        `kill ${kill}: ${victim} of chain ${chainId} at ${before}, back after ${Math.round(backMs)} ms`,
      )
      checkAnswers()
    }
    await until(
      () => asking.unchanged() > LEAST_UNCHANGED,
      () => `only ${asking.unchanged()} answers were a 304`,
    )
    await traffic.stop()
    await compareOrders(sql, world)
    report.vaultRows = await checkVaultTables(sql, world)
    checkAnswers()
    await losing
    return {
      ...report,
      orders: traffic.placed.length,
      unchanged: asking.unchanged(),
      lostNotifications: notifications.lost(),
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error}`, { cause: error })
  } finally {
    await started.disposeAsync()
  }
}

async function startApis(
  [url, otherUrl]: [string, string],
  { world, addressBook }: { world: World; addressBook: object },
) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-apis-'))
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(addressBook))
  const appSecret = randomBytes(32).toString('hex')
  const of = { databaseUrl: url, addressBook: file, rpcUrls: world.rpcUrls, appSecret }
  const other = { ...of, databaseUrl: otherUrl }
  const apis: [ApiProcess, ApiProcess] = [await startApiProcess(of), await startApiProcess(other)]
  const port = Number(new URL(apis[1].url).port)
  let restarting = Promise.resolve()
  async function stop() {
    await restarting
    for (const api of apis) await api.stop()
    await rm(folder, { recursive: true })
  }
  async function restart() {
    await apis[1].stop()
    apis[1] = await startApiProcess({ ...other, port })
  }
  try {
    for (const api of apis) await untilAnswering(api.url, api.output)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    urls: apis.map(({ url }) => url),
    restart() {
      restarting = restarting.then(restart)
    },
    stop,
  }
}

/** Orders at a steady rate, delivered and executed by the local world's bots, and actions with its vaults. */
function startWorldTraffic(world: World, seed: number) {
  const logger = createLogger('bots', 'silent')
  const bots = [
    startRelayer({ world, logger, everyMs: 500 }),
    startExecutor({ world, logger, everyMs: 500 }),
  ]
  const stopping = new AbortController()
  const placed: Hex[] = []
  const running = runTraffic({
    world,
    users: DEVNET_USERS,
    perMinute: 150,
    signal: stopping.signal,
    print(line) {
      const [id] = line.split('  ')
      if (isHash(id ?? '')) placed.push(id as Hex)
    },
  })
  const useVaults = createVaultTraffic(world, seededRandom(seed))
  const usingVaults = (async () => {
    while (!stopping.signal.aborted) await useVaults()
  })()
  return {
    placed,
    async stop() {
      stopping.abort()
      await Promise.all([running, usingVaults])
      for (const bot of bots) await bot.stop()
    },
  }
}

type Progress = { block: number; isReady: boolean }

async function progressOf(sql: Sql, chainId: number): Promise<Progress> {
  const [row] = await sql<{ block: bigint | null; isReady: boolean }[]>`
    select block_number as block, is_ready as "isReady" from read.chain_progress
    where chain_id = ${chainId}`.catch(() => [])
  return { block: Number(row?.block ?? -1), isReady: row?.isReady ?? false }
}

/** Waits until answers are above `block`, the last one of the killed indexer: the new one has come that far. */
async function untilBack(sql: Sql, chainId: number, block: number) {
  let progress: Progress | null = null
  await until(
    async () => {
      progress = await progressOf(sql, chainId)
      return progress.isReady && progress.block > block
    },
    () => `chain ${chainId} does not come back to ${block}: ${JSON.stringify(progress)}`,
  )
}

/** The index's orders are those of the nodes' logs. */
export async function compareOrders(sql: Sql, world: World) {
  const stations = world.addressBook.chains.filter(({ transitStation }) => transitStation)
  const { heads, rows } = await readOrderRows(sql, world.addressBook)
  const versions = await Promise.all(stations.map(({ id }) => createChainHistory(world, id).read()))
  const chains = stations.map(({ id, eid = 0, finalityDepth }) => ({
    chainId: id,
    eid,
    finalityDepth,
    head: heads[id] ?? -1,
  }))
  const expected = foldTransitOrders(
    chains,
    versions.flatMap(({ events }) => events),
  )
  deepStrictEqual(new Map(rows.map((row) => [row.id, row])), expected)
  deepStrictEqual(await compareSides(sql), [])
}
