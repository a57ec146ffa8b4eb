/** Remembers events, so that each is handled once. Ids are text of up to 64 characters. */
export type EventStore = {
  /**
   * Claims an event for `leaseMs`. `done`: it was completed before. `busy`: another process has claimed it, and its
   * lease is not over. Two claims at the same time must not both be `claimed`.
   */
  claim(id: string, leaseMs: number): Promise<'claimed' | 'done' | 'busy'>
  /** The event is handled. */
  complete(id: string): Promise<void>
  /** The event was not handled: the next delivery may claim it. */
  release(id: string): Promise<void>
}

const MOST = 10_000

/**
 * A store in the memory of one process, for tests and for receivers that may repeat work after a restart.
 *
 * @example
 * const POST = fetchWebhookHandler({ secrets, onEvent, store: memoryEventStore() })
 */
export function memoryEventStore({ now = Date.now }: { now?: () => number } = {}): EventStore {
  const done = new Set<string>()
  const claims = new Map<string, number>()
  return {
    async claim(id, leaseMs) {
      if (done.has(id)) return 'done'
      if ((claims.get(id) ?? 0) > now()) return 'busy'
      claims.set(id, now() + leaseMs)
      return 'claimed'
    },
    async complete(id) {
      claims.delete(id)
      done.add(id)
      // A set keeps its order: the oldest one goes.
      const [oldest] = done
      if (done.size > MOST && oldest !== undefined) done.delete(oldest)
    },
    async release(id) {
      claims.delete(id)
    },
  }
}

/** Longer than the 10 s after which the API gives up on an answer. */
const LEASE_MS = 60_000

/**
 * Handles an event unless it was handled before. Returns false while another process handles it. A handler that throws
 * leaves the event to the next delivery. If the process dies in between, the event is handled again after the
 * lease: only a handler that completes the event in its own database transaction excludes even that.
 *
 * @example
 * const isHandled = await handleOnce(store, event.id, () => onEvent(event))
 */
export async function handleOnce(
  store: EventStore,
  id: string,
  handle: () => void | Promise<void>,
): Promise<boolean> {
  const claim = await store.claim(id, LEASE_MS)
  if (claim !== 'claimed') return claim === 'done'
  try {
    await handle()
  } catch (error) {
    // The caller needs the handler's error. If the claim cannot be released, it ends with its lease.
    await store.release(id).catch(() => {})
    throw error
  }
  await store.complete(id)
  return true
}
