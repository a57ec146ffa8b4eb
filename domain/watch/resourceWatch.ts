/** Waits for changes of resources of one kind: one shared read per notification, however many requests wait. */
export type ResourceWatch<Id, Resource> = {
  /**
   * Resolves when the version differs from `seen` (null: when the resource exists), or at the end of the
   * wait.
   */
  next(id: Id, seen: string | null, options: WaitOptions): Promise<void>
  /** The part of a resource whose change wakes a waiter. */
  version(resource: Resource): string
  /** Ends all waits at once, and later ones too. */
  stop(): void
}

type WaitOptions = { timeoutMs: number; signal?: AbortSignal | undefined }
type Waiter<Id> = { id: Id; seen: string | null; done: () => void }

export type Watched<Id, Resource> = {
  /** Reads that are asked for in the same turn share a statement (`gather`). */
  read(id: Id): Promise<Resource | undefined>
  version(resource: Resource): string
}

/** Calls back whenever the index may have changed. Returns a function that stops it. */
export type IndexSignal = (onChange: () => void) => () => void

/** Finality changes with every block, also with blocks that change no row and send no notification. */
const LOOK_MS = 1_000

export function createResourceWatch<Id extends string, Resource>(
  { read, version }: Watched<Id, Resource>,
  onIndexChange: IndexSignal,
): ResourceWatch<Id, Resource> {
  const waiters = new Set<Waiter<Id>>()
  let isStopped = false
  let isReading = false
  let isStale = false

  async function look() {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale && waiters.size > 0) {
      isStale = false
      await wake([...waiters])
    }
    isReading = false
  }

  /** Ends the waits for what is another version by now. */
  async function wake(asked: Waiter<Id>[]) {
    const versions = await readVersions([...new Set(asked.map(({ id }) => id))])
    for (const waiter of asked) {
      const now = versions.get(waiter.id)
      if (now !== undefined && now !== waiter.seen) waiter.done()
    }
  }

  /** A resource that cannot be read has no version: its waiters stay until the next notification or tick. */
  async function readVersions(ids: Id[]): Promise<Map<Id, string>> {
    const reads = await Promise.allSettled(ids.map(async (id) => [id, await read(id)] as const))
    return new Map(
      reads.flatMap((result): [Id, string][] => {
        if (result.status === 'rejected') return []
        const [id, resource] = result.value
        return resource === undefined ? [] : [[id, version(resource)]]
      }),
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
        const waiter: Waiter<Id> = { id, seen, done }
        const timeout = setTimeout(done, timeoutMs)
        signal?.addEventListener('abort', done, { once: true })
        waiters.add(waiter)
        // The resource may have changed between the caller's read and now.
        void wake([waiter])
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
