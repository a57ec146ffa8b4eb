import { deepStrictEqual } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { connect } from '../../db/sql.ts'
import { compareSides } from '../../db/transitSides.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import type { TestProduct } from '../support/product.ts'
import { readOrderRows } from '../support/readOrderRows.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { foldTransitOrders, type OracleOrder } from '../support/transitOracle.ts'
import { type Answer, isTrue, startAsking } from './answerLog.ts'
import { type ChainHistory, type ChainVersion, createChainHistory } from './chainHistory.ts'
import { createRandomTraffic, pathsOf } from './randomTraffic.ts'
import { createReorganiser, DEEPEST } from './reorganiser.ts'
import { roundsWithin } from './roundsWithin.ts'
import { checkVaultTables } from './vaultTruth.ts'

export type ReorgOptions = {
  product: TestProduct
  rounds: number
  /** After these a third of them is enough. */
  seconds?: number
  seed: number
  print: (line: string) => void
}

export type ReorgReport = {
  deepest: number
  orders: number
  answers: number
  /** Answers that asked the client to retry, by reason. */
  catchingUp: number
  /** Answers that were a 304. */
  unchanged: number
  /** The notifications that one of the two replicas lost. */
  lostNotifications: number
  /** The compared rows of the vaults' tables. */
  vaultRows: number
  /** Per round, the time from the end of its changes until the index is at every chain's new head. */
  healedMs: number[]
}

/** From this round on, the second replica loses its notifications for a while. */
const LOSING_ROUND = 3
const LOSING_MS = 10_000

/**
 * Rounds of random orders, each ended by a reorganisation of one chain or both. After each round the
 * index must equal the oracle's result from the nodes' logs, and every answer of two replicas meanwhile, a 304 too, must match
 * a state that the chains had. One of them loses its notifications for ten seconds. Throws at the first contradiction, naming seed and round.
 */
export async function runReorgRounds(options: ReorgOptions): Promise<ReorgReport> {
  const { product, rounds, seconds, seed, print } = options
  const { world, databaseUrl } = product
  const random = seededRandom(seed)
  const sql = connect(databaseUrl, { applicationName: 'simulation', max: 1 })
  const traffic = createRandomTraffic(world, random)
  // The deployment must stay out of reach.
  for (const { id } of world.addressBook.chains)
    await worldClient(world, id).mine({ blocks: DEEPEST + 1 })
  const histories = world.addressBook.chains.map(({ id }) => createChainHistory(world, id))
  const reorganisers = histories.map((history) => createReorganiser(world, history, random))
  const { url, notifications } = await product.startLossyReplica()
  const asking = startAsking([product.url, url], () => pathsOf(traffic.orderIds()))
  let losing = Promise.resolve()
  const syncedAt: number[] = []
  const report = {
    deepest: 0,
    orders: 0,
    answers: 0,
    catchingUp: 0,
    unchanged: 0,
    lostNotifications: 0,
    vaultRows: 0,
    healedMs: [] as number[],
  }
  try {
    for (const round of roundsWithin(rounds, seconds)) {
      if (round === LOSING_ROUND) losing = notifications.lose(LOSING_MS)
      for (let steps = random.integer(3, 9); steps > 0; steps -= 1) {
        for (const reorganiser of reorganisers) await reorganiser.mark()
        await traffic.step()
      }
      const first = random.integer(0, 1)
      for (const reorganiser of reorganisers.slice(first, random.chance(0.3) ? 2 : first + 1)) {
        const { chainId, kind, depth } = await reorganiser.reorganise(traffic)
        print(`round ${round}: chain ${chainId} ${kind}, ${depth} deep`)
        report.deepest = Math.max(report.deepest, depth)
      }
      const synced = await untilSynced(sql, world, histories)
      report.healedMs.push(synced.elapsedMs)
      checkRound({ world, histories, synced, answers: asking.take(), syncedAt }, report)
      syncedAt.push(synced.at)
      report.vaultRows += await checkVaultTables(sql, world)
      deepStrictEqual(await compareSides(sql), [])
    }
  } catch (error) {
    throw new Error(`seed ${seed}, round ${report.healedMs.length}: ${error}`, { cause: error })
  } finally {
    await asking.stop()
    await sql.end()
    await losing
  }
  return {
    ...report,
    orders: traffic.orderIds().length,
    unchanged: asking.unchanged(),
    lostNotifications: notifications.lost(),
  }
}

type SyncedState = {
  versions: ChainVersion[]
  rows: OracleOrder[]
  elapsedMs: number
  /** The time when the rows had been read. */
  at: number
}

/** The index's rows at a moment when it is at the nodes' heads. */
export async function untilSynced(
  sql: Sql,
  world: World,
  histories: ChainHistory[],
): Promise<SyncedState> {
  const startedAt = performance.now()
  for (;;) {
    const { hashes, rows } = await readOrderRows(sql, world.addressBook)
    const at = performance.now()
    const versions = await Promise.all(histories.map((history) => history.read()))
    const late = versions.filter(({ chainId, head }) => hashes[chainId] !== head.hash)
    const elapsedMs = performance.now() - startedAt
    if (late.length === 0) return { versions, rows, elapsedMs, at }
    if (elapsedMs > PATIENCE_MS) {
      const named = late.map(({ chainId, head }) => `${chainId} at ${head.number} ${head.hash}`)
      throw new Error(`not synced in time: ${named.join(', ')}, index: ${JSON.stringify(hashes)}`)
    }
    await sleep(10)
  }
}

type Round = {
  world: World
  histories: ChainHistory[]
  synced: SyncedState
  answers: Answer[]
  /** The times of the earlier rounds. */
  syncedAt: number[]
}

function checkRound({ world, histories, synced, answers, syncedAt }: Round, report: ReorgReport) {
  const chains = world.addressBook.chains.map(({ id, eid = 0, finalityDepth }) => ({
    chainId: id,
    eid,
    finalityDepth,
  }))
  const heads = new Map(synced.versions.map(({ chainId, head }) => [chainId, head.number]))
  const expected = foldTransitOrders(
    chains.map((chain) => ({ ...chain, head: heads.get(chain.chainId) ?? 0 })),
    synced.versions.flatMap(({ events }) => events),
  )
  deepStrictEqual(new Map(synced.rows.map((row) => [row.id, row])), expected)

  const truth = { chains, versions: histories.flatMap((history) => history.versions()), syncedAt }
  for (const answer of answers) {
    if (![200, 404, 503].includes(answer.status))
      throw new Error(`a request failed: ${JSON.stringify(answer)}`)
    if (!isTrue(answer, truth))
      throw new Error(
        `true of no state of the chains: ${JSON.stringify({ ...answer, blocks: [...answer.blocks] })}
healed in ${report.healedMs.map(Math.round).join(', ')} ms; ${truth.versions.map(describeVersion).join('; ')}`,
      )
  }
  report.answers += answers.length
  report.catchingUp += answers.filter(({ status }) => status === 503).length
}

function describeVersion({ chainId, from, until, head }: ChainVersion): string {
  return `chain ${chainId} to ${head.number} from ${Math.round(from)} until ${Math.round(until)}`
}
