import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { onObservation } from '../../domain/observation/observe.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { getJson } from '../support/getJson.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'
import {
  type Replica,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../support/replicatedPostgres.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { replaceHeads, setReady } from '../support/testIndex.ts'
import { until } from '../support/until.ts'

/** Real streaming replicas under an api, beside an api that reads the primary alone. */

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Seconds of a random history; `REPLICA_SECONDS=1800` plays a long one. */
const SECONDS = Number(process.env.REPLICA_SECONDS ?? 15)

const ORDER = orderRow({ id: `0x${'ab'.repeat(32)}` })
const list = `/v1/transit/orders?userAddress=${ORDER.receiver}`
/** One order, a page, and a page with a filter: three pools. */
const READS = [
  `/v1/transit/orders/${ORDER.id}`,
  list,
  `${list}&filter=${encodeURIComponent('sourceChain=1 AND status=PROCESSING')}`,
]

let postgres: ReplicatedPostgres
let sql: Sql
/** Reads replicas, and reads the primary alone. */
let onReplicas: TestApi
let onPrimary: TestApi
let forget = () => {}
const used = new Map<string, boolean>()
const answeredBy = { replica: 0, primary: 0 }

beforeAll(async () => {
  postgres = await startReplicatedPostgres(2)
  forget = onObservation((observation) => {
    if (observation.kind === 'replica') used.set(observation.name, observation.isUsed)
    if (observation.kind === 'indexRead') answeredBy[observation.server] += 1
  })
  onPrimary = await startTestApi({ databaseUrl: postgres.url })
  onReplicas = await startTestApi({
    databaseUrl: postgres.url,
    replicaUrls: postgres.replicas.map(({ url }) => url),
  })
  sql = onPrimary.context.sql
  await insertOrder(sql, ORDER)
})
afterAll(async () => {
  forget()
  await onReplicas?.stop()
  await onPrimary?.stop()
  await postgres?.stop()
})
afterEach(async () => {
  for (const replica of postgres.replicas) await replica.resume().catch(() => {})
})

const isUsed = (replica: Replica) => used.get(new URL(replica.url).host) === true
const untilAll = (use: boolean) =>
  until(() => postgres.replicas.every((one) => isUsed(one) === use))

/** A block, or a block in the place of another one: the order has this version now. */
async function write(version: number, isNewBlock: boolean) {
  await sql.begin(async (transaction) => {
    await transaction`update facts.transit_source set offer_amount = ${String(version)} where order_id = ${ORDER.id}`
    await transaction`
      update facts.chain_head set block_number = block_number + ${isNewBlock ? 1 : 0},
        block_hash = other.hash, last_change_hash = other.hash
      from (select '0x' || md5(random()::text) || md5(random()::text) as hash) other`
  })
}

async function versionIn({ url }: TestApi, path: string): Promise<number | null> {
  const { status, body } = await getJson<{ order: Shown; orders: Shown[] }>(`${url}${path}`)
  if (status === 503) return null
  expect(status).toBe(200)
  return Number((body.order ?? body.orders[0]).offerAmount)
}
type Shown = { offerAmount: string }

describe('replicas', () => {
  test('default: replicas answer, with the same bytes as the primary', async () => {
    for (const path of READS)
      await until(async () => {
        await replaceHeads(sql)
        await untilAll(true)
        const before = { ...answeredBy }
        const read = [onReplicas, onPrimary].map(({ url }) => getJson(`${url}${path}`))
        const [one, other] = await Promise.all(read)
        expect(one?.status).toBe(200)
        expect(one?.body).toEqual(other?.body)
        // On a busy machine a replica may be late.
        return answeredBy.replica > before.replica && answeredBy.primary === before.primary
      })
  })

  test.each(READS)('behavior: one that is late gives no older answer (read %#)', async (path) => {
    await untilAll(true)
    await Promise.all(postgres.replicas.map((replica) => replica.pause()))
    await write(70_001, false)
    expect(await versionIn(onPrimary, path)).toBe(70_001)
    expect(await versionIn(onReplicas, path)).toBe(70_001)
    // The second read meets the other replica.
    await write(70_002, true)
    expect(await versionIn(onReplicas, path)).toBe(70_002)
    await untilAll(false)
    await Promise.all(postgres.replicas.map((replica) => replica.resume()))
    await untilAll(true)
    expect(await versionIn(onReplicas, path)).toBe(70_002)
  })

  test('behavior: what depends on other facts is read on the primary', async () => {
    await untilAll(true)
    const isReplica = await onReplicas.context.readIndex(async ({ sql }) => {
      const [row] = await sql<{ isReplica: boolean }[]>`select pg_is_in_recovery() as "isReplica"`
      return { heads: [], chainIds: null, isReplica: row?.isReplica }
    })
    expect(isReplica).toMatchObject({ isReplica: false })
  })

  test('behavior: a chain that is not ready is refused, and leaves no replica out', async () => {
    await untilAll(true)
    await setReady(sql, 1, false)
    expect(await versionIn(onReplicas, READS[0] ?? '')).toBeNull()
    await setReady(sql, 1, true)
    expect(await versionIn(onReplicas, READS[0] ?? '')).not.toBeNull()
    await untilAll(true)
  })

  test('error: replicas that are down are left out, and taken back', async () => {
    await untilAll(true)
    for (const replica of postgres.replicas) await replica.kill()
    // Each is noticed by the read that meets it.
    for (const version of [80_001, 80_002]) {
      await write(version, true)
      expect(await versionIn(onReplicas, READS[0] ?? '')).toBe(version)
    }
    await untilAll(false)
    for (const replica of postgres.replicas) await replica.start()
    await untilAll(true)
  })

  const timeout = (SECONDS + 300) * 1_000
  test('behavior: no answer is older than one before it, whatever happens to the replicas', {
    timeout,
  }, async () => {
    const random = seededRandom(SEED)
    const over = Date.now() + SECONDS * 1_000
    let version = 100_000
    let isOver = false
    const writing = (async () => {
      for (; !isOver; await sleep(random.integer(1, 60))) await write(++version, random.chance(0.5))
    })()
    const hurting = (async () => {
      while (!isOver) {
        const replica = random.pick(postgres.replicas as [Replica, ...Replica[]])
        const isKilled = random.chance(0.2)
        await (isKilled ? replica.kill() : replica.pause())
        await sleep(random.integer(10, Math.min(SECONDS * 200, 30_000)))
        await (isKilled ? replica.start() : replica.resume())
        await sleep(random.integer(50, 2_000))
      }
    })()
    const counts = { answered: 0, refused: 0 }
    // The newest version that any client has seen.
    let newest = 0
    const reading = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const least = newest
        const api = random.chance(0.7) ? onReplicas : onPrimary
        const found = await versionIn(api, random.pick(READS as [string, ...string[]]))
        counts[found === null ? 'refused' : 'answered'] += 1
        if (found === null) continue
        expect(found, `seed ${SEED}`).toBeGreaterThanOrEqual(least)
        newest = Math.max(newest, found)
      }
    })
    await sleep(over - Date.now())
    isOver = true
    await Promise.all([writing, hurting, ...reading])
    expect(counts.answered).toBeGreaterThan(SECONDS * 5)
    expect(answeredBy.replica).toBeGreaterThan(0)
    for (const replica of postgres.replicas) await replica.resume().catch(() => {})
    await untilAll(true)
  })

  test('behavior: one that was promoted is read only while it has the heads of the primary', async () => {
    await untilAll(true)
    const [promoted, other] = postgres.replicas
    await promoted?.promote()
    for (const [index, path] of [...READS, ...READS].entries()) {
      await write(900_000 + index, true)
      expect(await versionIn(onReplicas, path)).toBe(900_000 + index)
    }
    await until(() => promoted !== undefined && !isUsed(promoted))
    await until(() => other !== undefined && isUsed(other))
  })
})
