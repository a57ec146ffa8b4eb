import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../db/sql.ts'
import { type BenchCase, type BenchOptions, ratio } from './figure.ts'
import { measureAtRate } from './measure.ts'
import { measureTransitLists } from './measureTransitLists.ts'
import { startPeers } from './orderPeers.ts'
import { startFloor, startOurs, startStatement, type Target } from './orderTargets.ts'
import { startOrderWorld } from './orderWorld.ts'

const WARMING_SECONDS = 6
const MAXIMUM_SECONDS = 2
/** Longer than an api remembers a key. */
const KEY_LIFE_MS = 5_000
const HALF_RATE_SECONDS = 4
const FLOOR = 'floor: one row in a bare route'
const REST = 'one order, REST'
const POLLED = 'one order, polled'
const MOST_P99_MS = 6
/** The floor's latencies show what the machine adds to ours. */
const LATENCIES = [FLOOR, REST, POLLED]

/** One value of each per round. */
type Readings = Record<'perSecond' | 'cpuMicros' | 'p50' | 'p99', number[]>

function noReadings(): Readings {
  return { perSecond: [], cpuMicros: [], p50: [], p99: [] }
}

/** Ratios of the CPU of a request, by what is asked of them. */
const RATIOS: { name: string; of: string; to: string; least?: number; most?: number }[] = [
  { name: 'one order over REST, in floors', of: REST, to: FLOOR, most: 1.6 },
  { name: 'over GraphQL, in floors', of: 'one order, GraphQL', to: FLOOR, most: 2.2 },
  { name: 'polled, in floors', of: POLLED, to: FLOOR, most: 0.9 },
  { name: 'unchanged, in floors', of: 'one order, unchanged by ETag', to: FLOOR, most: 0.8 },
  { name: "a user's page, in floors", of: "a user's page", to: FLOOR, most: 8 },
  { name: 'twelve chains to six', of: 'one order, REST, 12 chains', to: REST, most: 1.05 },
  { name: 'PostGraphile to REST', of: 'one order, PostGraphile 5', to: REST, least: 4 },
  { name: "Ponder's GraphQL to REST", of: "one order, Ponder's GraphQL", to: REST, least: 8 },
  { name: 'REST to its statement alone', of: REST, to: 'our statement alone, bare clients' },
]

/**
 * Measures the read of an order beside its floor and its peers, in turns, so that other load on the machine affects all;
 * over each number of orders. Over the largest also with twelve chains, and the lists of orders.
 */
export async function measureOrders(options: BenchOptions, orderCounts: number[]) {
  const largest = Math.max(...orderCounts)
  for (const count of orderCounts) await measureSize(options, count, count === largest)
}

async function measureSize(options: BenchOptions, orderCount: number, isLargest: boolean) {
  const group = `Orders: ${orderCount.toLocaleString('en-US')}, six chains`
  await using stack = new AsyncDisposableStack()
  const world = await startOrderWorld(stack, orderCount, isLargest)
  const { api, targets: ours } = await startOurs(stack, world, 'few')
  const many = isLargest ? (await startOurs(stack, world, 'many')).targets : []
  const targets = [
    await startFloor(stack, world),
    startStatement(world),
    ...ours,
    ...many,
    ...(await startPeers(stack, world, api)),
  ]
  const wanted = targets.filter(({ name }) => name === FLOOR || options.isWanted(name))
  const all = new Map<string, Readings>(wanted.map(({ name }) => [name, noReadings()]))
  const measureOnce = async (target: Target, readings: Readings) => {
    const { perSecond, cpuMicros } = await target.maximum(MAXIMUM_SECONDS)
    readings.perSecond.push(perSecond)
    readings.cpuMicros.push(cpuMicros)
    if (LATENCIES.includes(target.name)) await measureHalf(target, perSecond, readings)
  }
  // A process that has just started is several times slower.
  for (const target of wanted) await target.maximum(WARMING_SECONDS).catch(() => {}) // It fails again below, and is reported there.
  for (let round = 0; round < options.rounds; round++)
    for (const target of wanted) {
      const { name } = target
      const readings = all.get(name)
      if (!readings) continue
      const failure = await measureOnce(target, readings).then(() => null, String)
      if (failure === null) continue
      // The other targets are still compared.
      all.delete(name)
      options.report({ group, name, figures: {}, failure })
    }
  for (const [name, { perSecond, cpuMicros, p50, p99 }] of all) {
    const figures: BenchCase['figures'] = {
      perSecond: { values: perSecond },
      cpuMicros: { values: cpuMicros },
    }
    if (LATENCIES.includes(name)) {
      figures.p50 = { values: p50 }
      figures.p99 = { values: p99, ...(name === FLOOR ? {} : { most: MOST_P99_MS }) }
    }
    options.report({ group, name, figures })
  }
  for (const { name, of, to, ...bounds } of RATIOS) {
    const [one, other] = [all.get(of), all.get(to)]
    if (!one || !other) continue
    const values = ratio(one.cpuMicros, other.cpuMicros)
    options.report({ group, name, figures: { ratio: { values, ...bounds } } })
  }
  if (!isLargest) return
  await liftLimits(world.databaseUrl)
  await measureTransitLists(options, api, orderCount)
}

/** One key reads all lists, more than any limit grants. */
async function liftLimits(databaseUrl: string) {
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  await sql`update app.organization set rate_limit_tier = 'unlimited'`
  await sql.end()
  await sleep(KEY_LIFE_MS)
}

async function measureHalf(target: Target, rate: number, into: Readings) {
  if (!target.measured) return
  const { p50, p99 } = await measureAtRate(target.measured, rate / 2, HALF_RATE_SECONDS)
  into.p50.push(p50)
  into.p99.push(p99)
}
