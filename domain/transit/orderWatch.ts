import type { Hex } from 'viem'
import type { TransitOrder } from './order.ts'
import type { OrderReads } from './orderReads.ts'

/** Waits for orders to change: one shared query per notification, however many wait. */
export type OrderWatch = {
  /** Resolves when the order's version differs from `seen` (null: when it exists), or at the end of the wait. */
  next(id: Hex, seen: string | null, options: WaitOptions): Promise<void>
  /** The part of an order whose change wakes a waiter: status, amounts, finality. */
  version(order: TransitOrder): string
  /** Lets everybody go at once; later waits end at once too. */
  stop(): void
}

type WaitOptions = { timeoutMs: number; signal?: AbortSignal | undefined }
type Waiter = { id: Hex; seen: string | null; done: () => void }

/** Calls back whenever the index may have changed; returns how to stop. */
export type IndexSignal = (onChange: () => void) => () => void

/** Finality moves with every block, also those that change no row and notify nobody. */
const LOOK_MS = 1_000

export function createOrderWatch(orderReads: OrderReads, onIndexChange: IndexSignal): OrderWatch {
  const waiters = new Set<Waiter>()
  let isStopped = false
  let isReading = false
  let isStale = false

  async function look() {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale && waiters.size > 0) {
      isStale = false
      const asked = [...waiters]
      const ids = [...new Set(asked.map(({ id }) => id))]
      const versions = await readVersions(ids)
      for (const waiter of asked) {
        const now = versions.get(waiter.id)
        if (now !== undefined && now !== waiter.seen) waiter.done()
      }
    }
    isReading = false
  }

  /** An order that cannot be read has none: its waiters stay until the next notification or tick. */
  async function readVersions(ids: Hex[]): Promise<Map<Hex, string>> {
    const reads = await Promise.allSettled(ids.map((id) => orderReads.read(id)))
    return new Map(
      reads.flatMap((read) =>
        read.status === 'fulfilled' && read.value.order
          ? [[read.value.order.id, version(read.value.order)]]
          : [],
      ),
    )
  }

  const stopListening = onIndexChange(() => void look())
  const timer = setInterval(() => waiters.size > 0 && void look(), LOOK_MS)
  timer.unref()

  return {
    version,
    next(id, seen, { timeoutMs, signal }) {
      if (isStopped || signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const done = () => {
          waiters.delete(waiter)
          clearTimeout(timeout)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const waiter: Waiter = { id, seen, done }
        const timeout = setTimeout(done, timeoutMs)
        signal?.addEventListener('abort', done, { once: true })
        waiters.add(waiter)
        // The change may have come between the caller's read and now.
        void look()
      })
    },
    stop() {
      isStopped = true
      stopListening()
      clearInterval(timer)
      for (const { done } of [...waiters]) done()
    },
  }
}

function version({ status, amountDue, remainingAmountDue, finalized }: TransitOrder): string {
  return `${status} ${amountDue} ${remainingAmountDue} ${finalized}`
}
