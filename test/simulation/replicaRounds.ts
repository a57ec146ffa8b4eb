import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../db/sql.ts'
import { worldClient } from '../../devnet/world.ts'
import { pause } from '../../domain/loop/pause.ts'
import { startAnswerCheck } from '../chaos/answerCheck.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { freePorts } from '../support/freePorts.ts'
import { TEMPLATE_DATABASE } from '../support/postgres.ts'
import { startTestProduct } from '../support/product.ts'
import { type Replica, startReplicatedPostgres } from '../support/replicatedPostgres.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'
import { createChainHistory } from './chainHistory.ts'
import { createRandomTraffic } from './randomTraffic.ts'
import { createReorganiser, DEEPEST } from './reorganiser.ts'
import { untilSynced } from './reorgRounds.ts'

type ReplicaOptions = {
  seconds: number
  /** Of a fault. */
  longestMs: number
  seed: number
  print: (line: string) => void
}

type ReplicaReport = {
  rounds: number
  orders: number
  answers: number
  /** Answers that asked the client to retry, all of them around a reorganisation. */
  refused: number
  /** Answers that were a 304. */
  unchanged: number
  /** Statements on the index that a replica answered. */
  onReplicas: number
  faults: Record<string, number>
}

const APIS = 4
const REPLICAS = 2
/** Deeper than any reorganisation and any read of an old block. */
const KEPT_STATES = 1_000
const REORGANISED = 0.2

/**
 * Orders move on two chains, some are reorganised, and clients of four apis poll them, every other time with the tag of an answer
 * of any api. Meanwhile each of two replicas of Postgres is hurt again and again. Each answer must be true of some state of the
 * chains, none older than one before it, and none refused but around a reorganisation. Throws at the first contradiction, naming the seed.
 */
export async function runReplicaRounds(options: ReplicaOptions): Promise<ReplicaReport> {
  const { seconds, seed, print } = options
  await using started = new AsyncDisposableStack()
  const postgres = await startReplicatedPostgres(REPLICAS, { template: TEMPLATE_DATABASE })
  started.defer(postgres.stop)
  const readUrl = postgres.replicas.map(({ url }) => asProcessRole(url, 'api')).join()
  const product = await startTestProduct({
    databaseUrl: postgres.url,
    withVaults: true,
    keptStates: KEPT_STATES,
    variables: { DATABASE_READ_URL: readUrl, REORG_PATIENCE_SECONDS: '9' },
  })
  started.defer(product.stop)
  const { world } = product
  const metricsPorts = await freePorts(APIS - 1)
  const urls = [product.url]
  for (const port of metricsPorts)
    urls.push(await product.startFurtherApi({ METRICS_PORT: String(port) }))
  const sql = connect(postgres.url, { applicationName: 'simulation', max: 1 })
  started.defer(() => sql.end())

  const random = seededRandom(seed)
  const traffic = createRandomTraffic(world, random)
  // The deployment must stay out of reach.
  for (const { id } of world.addressBook.chains)
    await worldClient(world, id).mine({ blocks: DEEPEST + 1 })
  const histories = world.addressBook.chains.map(({ id }) => createChainHistory(world, id))
  const reorganisers = histories.map((history) => createReorganiser(world, history, random))
  const apis = urls.map((url) => ({ current: () => ({ url }) }))
  const check = startAnswerCheck({ world, apis }, histories, traffic.orderIds)
  started.defer(check.stop)
  const over = new AbortController()
  const faults: Record<string, number> = {}
  const hurting = Promise.all(
    postgres.replicas.map((replica, index) =>
      hurt(replica, seededRandom(seed + index + 1), {
        longestMs: options.longestMs,
        signal: over.signal,
        note(kind, ms) {
          faults[kind] = (faults[kind] ?? 0) + 1
          print(`replica ${index}: ${kind} for ${ms} ms`)
        },
      }),
    ),
  )
  let rounds = 0
  async function play() {
    const isReorganised = random.chance(REORGANISED)
    if (isReorganised) check.forget(true)
    for (let steps = random.integer(3, 9); steps > 0; steps -= 1) {
      for (const reorganiser of reorganisers) await reorganiser.mark()
      await traffic.step()
      await sleep(random.integer(0, 500))
    }
    if (isReorganised) await reorganisers[random.integer(0, 1)]?.reorganise(traffic)
    await untilSynced(sql, world, histories)
    check.synced()
    const found = await check.check()
    if (found.length > 0) throw new Error(found.join('\n'))
    rounds += 1
  }
  try {
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; )
      await Promise.race([play(), hurting])
    over.abort()
    await hurting
  } catch (error) {
    throw new Error(`seed ${seed}, round ${rounds}: ${error}`, { cause: error })
  } finally {
    over.abort()
  }
  const onReplicas = await Promise.all(metricsPorts.map(readsOnReplicas))
  return {
    rounds,
    orders: traffic.orderIds().length,
    ...check.tally(),
    onReplicas: onReplicas.reduce((sum, count) => sum + count, 0),
    faults,
  }
}

/** How a replica is hurt for some time, and healed. */
const FAULTS: Record<
  string,
  {
    begin: (replica: Replica, ms: number) => Promise<void>
    end: (replica: Replica) => Promise<void>
  }
> = {
  paused: { begin: ({ pause }) => pause(), end: ({ resume }) => resume() },
  delayed: { begin: ({ delay }, ms) => delay(ms), end: ({ delay }) => delay(0) },
  cut: { begin: ({ cut }) => cut(), end: ({ join }) => join() },
  killed: { begin: ({ kill }) => kill(), end: ({ start }) => start() },
  promoted: { begin: ({ promote }) => promote(), end: ({ rebuild }) => rebuild() },
}
const KINDS = [
  'paused',
  'paused',
  'delayed',
  'delayed',
  'cut',
  'cut',
  'killed',
  'promoted',
] as const
const WELL_MS = { least: 200, most: 4_000 }
const SHORTEST_MS = 100

type Hurting = { longestMs: number; signal: AbortSignal; note(kind: string, ms: number): void }

async function hurt(replica: Replica, random: SeededRandom, { longestMs, signal, note }: Hurting) {
  while (!signal.aborted) {
    await pause(random.integer(WELL_MS.least, WELL_MS.most), signal)
    const kind = random.pick(KINDS)
    const ms = random.integer(SHORTEST_MS, longestMs)
    note(kind, ms)
    await FAULTS[kind]?.begin(replica, ms)
    await pause(ms, signal)
    await FAULTS[kind]?.end(replica)
  }
}

async function readsOnReplicas(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^causeway_index_reads_total\{server="replica"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}
