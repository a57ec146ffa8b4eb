import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQuotaStore, type QuotaStore } from '../../../db/quotaStore.ts'
import { createQuotaLeases, type QuotaLeases } from '../../../domain/limits/quotaLeases.ts'
import { WINDOW_SECONDS } from '../../../domain/limits/rateLimits.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'

const onError = (error: unknown) => {
  throw error
}

let database: TestDatabase
const stores: QuotaStore[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await Promise.all(stores.map((store) => store.stop()))
  await database.drop()
})

function openStore({
  url,
  windowSeconds = WINDOW_SECONDS,
}: {
  url?: string
  windowSeconds?: number
} = {}) {
  const store = createQuotaStore(url ?? database.url, windowSeconds)
  stores.push(store)
  return store
}

/** Stands for a process with its own leases; `writes` counts them. */
function replica(store = openStore()) {
  let writes = 0
  const take: QuotaStore['take'] = (bucket, points) => {
    writes += 1
    return store.take(bucket, points)
  }
  return { leases: createQuotaLeases({ take }, onError), writes: () => writes }
}

async function grantedOf(
  leases: QuotaLeases,
  bucket: string,
  price: { limit: number; points: number },
) {
  const { isGranted } = await leases.charge(bucket, price)
  return isGranted ? 1 : 0
}

async function burst(
  replicas: QuotaLeases[],
  requests: number,
  { bucket = '', limit = 100, points = 1 },
) {
  const charges = Array.from({ length: requests }, (_, index) => {
    const leases = replicas[index % replicas.length]
    if (!leases) throw new Error('no replica')
    return grantedOf(leases, bucket, { limit, points })
  })
  return (await Promise.all(charges)).reduce<number>((sum, granted) => sum + granted, 0)
}

function expectBetween(value: number, [least, most]: [number, number]) {
  expect(value).toBeGreaterThanOrEqual(least)
  expect(value).toBeLessThanOrEqual(most)
}

describe('createQuotaLeases', () => {
  test('default: one process grants all of the limit, with a write per some ten requests', async () => {
    const { leases, writes } = replica()
    expect(await burst([leases], 1_000, { bucket: 'default' })).toBe(100)
    expect(writes()).toBeLessThanOrEqual(15)
  })

  test('behavior: processes share a limit, and waste a lease of each at most', async () => {
    const replicas = [replica(), replica(), replica()].map(({ leases }) => leases)
    const granted = await burst(replicas, 1_000, { bucket: 'shared' })
    expectBetween(granted, [70, 100])
  })

  test('behavior: a spent limit costs no more writes', async () => {
    const { leases, writes } = replica()
    await burst([leases], 101, { bucket: 'spent' })
    const before = writes()
    expect(await burst([leases], 500, { bucket: 'spent' })).toBe(0)
    expect(writes()).toBe(before)
  })

  test('behavior: a new process begins where the others are', async () => {
    const first = replica()
    expect(await burst([first.leases], 60, { bucket: 'restart' })).toBe(60)
    expectBetween(await burst([replica().leases], 1_000, { bucket: 'restart' }), [30, 40])
  })

  test('behavior: a small limit is leased point by point', async () => {
    const [one, other] = [replica().leases, replica().leases]
    expect(await burst([one, other], 100, { bucket: 'small', limit: 7 })).toBe(7)
  })

  test('behavior: costly requests take what they cost', async () => {
    const { leases } = replica()
    expect(await burst([leases], 100, { bucket: 'costly', limit: 1_000, points: 90 })).toBe(11)
    const rest = await leases.charge('costly', { limit: 1_000, points: 10 })
    expect(rest).toMatchObject({ isGranted: true, remaining: 0 })
  })

  test('behavior: what costs more than the limit takes nothing', async () => {
    const { leases, writes } = replica()
    expect(await burst([leases], 3, { bucket: 'never', limit: 10, points: 11 })).toBe(0)
    expect(writes()).toBe(0)
  })

  test('behavior: returns the rest, and the end of the window', async () => {
    const { leases } = replica()
    const charge = await leases.charge('exact', { limit: 100, points: 3 })
    expect(charge).toMatchObject({ isGranted: true, remaining: 97 })
    expect(charge.endsAt - Date.now()).toBeGreaterThan((WINDOW_SECONDS - 5) * 1_000)
    expect(charge.endsAt - Date.now()).toBeLessThanOrEqual(WINDOW_SECONDS * 1_000)
  })

  test('behavior: points that were given back can be spent again', async () => {
    const { leases } = replica()
    await burst([leases], 100, { bucket: 'back' })
    leases.giveBack('back', 1)
    expect(await burst([leases], 10, { bucket: 'back' })).toBe(1)
  })

  test('behavior: the next window starts from zero', async () => {
    const store = openStore({ windowSeconds: 1 })
    const [one, other] = [replica(store).leases, replica(store).leases]
    expect(await burst([one], 1_000, { bucket: 'window' })).toBe(100)
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    const granted = await burst([one, other], 1_000, { bucket: 'window' })
    expectBetween(granted, [80, 100])
  })

  test('behavior: a larger limit holds at once', async () => {
    const { leases } = replica()
    await burst([leases], 200, { bucket: 'raised', limit: 100 })
    // Requests beyond the old limit count too.
    expectBetween(await burst([leases], 1_000, { bucket: 'raised', limit: 150 }), [40, 50])
  })
})

describe('a store that fails', () => {
  /** A URL without a server. */
  const nowhere = 'postgres://nobody@127.0.0.1:1/nothing'

  test('behavior: each process counts for itself, and logs it', async () => {
    const store = openStore({ url: nowhere })
    const failures: unknown[] = []
    const leases = createQuotaLeases(store, (error) => failures.push(error))
    expect(await burst([leases], 1_000, { bucket: 'down' })).toBe(100)
    expect(await burst([leases], 1_000, { bucket: 'down too' })).toBe(100)
    expect(failures).toHaveLength(1)
  })

  test('behavior: what was taken before counts', async () => {
    const lost = createQuotaStore(database.url, WINDOW_SECONDS)
    const leases = createQuotaLeases(lost, () => {})
    expect(await burst([leases, replica().leases], 60, { bucket: 'failing' })).toBe(60)
    await lost.stop()
    // The other process may have two leases that it has not spent.
    expectBetween(await burst([leases], 1_000, { bucket: 'failing' }), [20, 70])
  })
})
