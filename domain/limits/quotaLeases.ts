import type { QuotaStore } from '../../db/quotaStore.ts'
import { countedCache } from '../cache/countedCache.ts'
import { WINDOW_SECONDS } from './rateLimits.ts'

type Price = { limit: number; points: number }

/** Whether the points were granted, the rest (as far as this process knows), and the end of the window (Unix ms). */
export type Charge = { isGranted: boolean; remaining: number; endsAt: number }

export type QuotaLeases = {
  /** Answers at once while this process has a lease. */
  charge(bucket: string, price: Price): Charge | Promise<Charge>
  /** Returns charged points that were not used. */
  giveBack(bucket: string, points: number): void
}

/** `left` points belong to this process; all processes together had taken `taken` at the last write. */
type Lease = { left: number; taken: number; endsAt: number }

const WINDOW_MS = WINDOW_SECONDS * 1_000
/** An evicted lease loses its points, at most a tenth of a limit. */
const MOST_LEASES = 50_000
/** A client with a thousand requests per second then causes ten writes per second. */
const REQUESTS_PER_LEASE = 100
/** The next lease is taken when only this part of one is left, so that few requests wait for it. */
const LOW_SHARE = 0.3
const RETRY_STORE_MS = 1_000

/**
 * Spends shared quotas without a write per request: one write leases points for a hundred requests or a tenth
 * of the limit, and this process spends them. All processes together never spend more than the limit, and lose
 * at most one lease each. While the store fails, each process counts for itself.
 */
export function createQuotaLeases(
  store: Pick<QuotaStore, 'take'>,
  onStoreFailure: (error: unknown) => void,
): QuotaLeases {
  const leases = countedCache<string, Lease>('quota_leases', { max: MOST_LEASES })
  const refills = new Map<string, Promise<void>>()
  let storeFailedAt = Number.NEGATIVE_INFINITY

  function current(bucket: string): Lease | undefined {
    const lease = leases.get(bucket)
    return lease && Date.now() < lease.endsAt ? lease : undefined
  }

  async function takeLease(bucket: string, price: Price): Promise<void> {
    const wanted = wantedPoints(price, current(bucket)?.left ?? 0)
    const { points: taken, endsAt } = await store.take(bucket, wanted)
    const granted = Math.min(Math.max(price.limit - (taken - wanted), 0), wanted)
    const held = current(bucket)
    // Points of an earlier window are void.
    const isSameWindow = held && endsAt - held.endsAt < WINDOW_MS / 2
    leases.set(bucket, { left: granted + (isSameWindow ? held.left : 0), taken, endsAt })
  }

  /** Grants the rest of the limit, as far as this process knows it. */
  function leaseUncounted(bucket: string, { limit }: Price) {
    const held = current(bucket) ?? { left: 0, taken: 0, endsAt: Date.now() + WINDOW_MS }
    const left = held.left + Math.max(limit - held.taken, 0)
    leases.set(bucket, { left, taken: limit, endsAt: held.endsAt })
  }

  async function refill(bucket: string, price: Price): Promise<void> {
    if (Date.now() - storeFailedAt < RETRY_STORE_MS) return leaseUncounted(bucket, price)
    try {
      await takeLease(bucket, price)
    } catch (error) {
      storeFailedAt = Date.now()
      onStoreFailure(error)
      leaseUncounted(bucket, price)
    }
  }

  /** Requests that wait for one bucket share a write. */
  function sharedRefill(bucket: string, price: Price): Promise<void> {
    const running = refills.get(bucket)
    if (running) return running
    const started = refill(bucket, price).finally(() => refills.delete(bucket))
    refills.set(bucket, started)
    return started
  }

  /** Null where a lease must be taken first. */
  function chargeLease(bucket: string, price: Price): Charge | null {
    const { limit, points } = price
    const lease = current(bucket)
    const isGranted = lease !== undefined && lease.left >= points
    const isSpent = lease !== undefined && lease.taken >= limit
    if (lease && isGranted) {
      lease.left -= points
      if (!isSpent && lease.left < lowPoints(price)) void sharedRefill(bucket, price)
    }
    if (!isGranted && !isSpent && points <= limit) return null
    const { left, taken, endsAt } = lease ?? { left: 0, taken: 0, endsAt: Date.now() }
    return { isGranted, remaining: left + Math.max(limit - taken, 0), endsAt }
  }

  async function chargeRefilled(bucket: string, price: Price): Promise<Charge> {
    for (;;) {
      await sharedRefill(bucket, price)
      const charge = chargeLease(bucket, price)
      if (charge) return charge
    }
  }

  return {
    charge: (bucket, price) => chargeLease(bucket, price) ?? chargeRefilled(bucket, price),
    giveBack(bucket, points) {
      const lease = current(bucket)
      if (lease) lease.left += points
    },
  }
}

function leasePoints({ limit, points }: Price): number {
  return Math.max(Math.min(REQUESTS_PER_LEASE * points, Math.floor(limit / 10)), 1)
}

/** 0 if leases are so small that an early one would take points from other processes. */
function lowPoints(price: Price): number {
  return Math.floor(leasePoints(price) * LOW_SHARE)
}

/** The points that complete the lease, or are enough for this request. */
function wantedPoints(price: Price, left: number): number {
  return Math.max(leasePoints(price), price.points) - left
}
