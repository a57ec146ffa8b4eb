import { LRUCache } from 'lru-cache'
import type { QuotaStore } from '../../db/quotaStore.ts'
import { WINDOW_SECONDS } from './rateLimits.ts'

type Price = { limit: number; points: number }

/** Whether the points were there, what is left (of what this process knows), and when more come (Unix ms). */
export type Charge = { isGranted: boolean; remaining: number; endsAt: number }

export type QuotaLeases = {
  charge(bucket: string, price: Price): Promise<Charge>
  /** Returns points that were charged for nothing. */
  giveBack(bucket: string, points: number): void
}

/** Points of the window that are this process's to spend, and what was taken by all when it asked. */
type Lease = { left: number; taken: number; endsAt: number }

const WINDOW_MS = WINDOW_SECONDS * 1_000
/** One that is forgotten loses its points, a tenth of a limit at most. */
const MOST_LEASES = 50_000
/** One that asks a thousand times a second then writes ten times a second. */
const REQUESTS_PER_LEASE = 100
/** Of a lease: with so little left the next is asked for, so that few requests wait for it. */
const LOW_SHARE = 0.3
const RETRY_STORE_MS = 1_000

/**
 * Spends shared quotas without a write per request: points are leased in one write, for a hundred
 * requests or a tenth of the limit, and spent here. All processes together never spend more than the limit, and
 * less by a lease of each at most. While the store fails, each process counts for itself.
 */
export function createQuotaLeases(
  store: Pick<QuotaStore, 'take'>,
  onStoreFailure: (error: unknown) => void,
): QuotaLeases {
  const leases = new LRUCache<string, Lease>({ max: MOST_LEASES })
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
    // Windows are a whole window apart; what is left of the last one is worth nothing in this.
    const isSameWindow = held && endsAt - held.endsAt < WINDOW_MS / 2
    leases.set(bucket, { left: granted + (isSameWindow ? held.left : 0), taken, endsAt })
  }

  /** What the limit leaves as far as this process knows. */
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

  /** All who wait for one bucket share a write. */
  function sharedRefill(bucket: string, price: Price): Promise<void> {
    const running = refills.get(bucket)
    if (running) return running
    const started = refill(bucket, price).finally(() => refills.delete(bucket))
    refills.set(bucket, started)
    return started
  }

  return {
    async charge(bucket, price) {
      const { limit, points } = price
      for (;;) {
        const lease = current(bucket)
        const isGranted = lease !== undefined && lease.left >= points
        const isSpent = lease !== undefined && lease.taken >= limit
        if (lease && isGranted) {
          lease.left -= points
          if (!isSpent && lease.left < lowPoints(price)) void sharedRefill(bucket, price)
        }
        if (isGranted || isSpent || points > limit) {
          const { left, taken, endsAt } = lease ?? { left: 0, taken: 0, endsAt: Date.now() }
          return { isGranted, remaining: left + Math.max(limit - taken, 0), endsAt }
        }
        await sharedRefill(bucket, price)
      }
    },
    giveBack(bucket, points) {
      const lease = current(bucket)
      if (lease) lease.left += points
    },
  }
}

function leasePoints({ limit, points }: Price): number {
  return Math.max(Math.min(REQUESTS_PER_LEASE * points, Math.floor(limit / 10)), 1)
}

/** 0 where leases are so small that this process would take what another could spend. */
function lowPoints(price: Price): number {
  return Math.floor(leasePoints(price) * LOW_SHARE)
}

/** What makes up a lease, or is enough for this one request. */
function wantedPoints(price: Price, left: number): number {
  return Math.max(leasePoints(price), price.points) - left
}
