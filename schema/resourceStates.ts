import type { Reason } from '../domain/error/reason.ts'
import { ServiceError } from '../domain/error/serviceError.ts'
import { pause } from '../domain/loop/pause.ts'
import type { ResourceWatch } from '../domain/watch/resourceWatch.ts'

/** An error is a state too: thrown by the iterator, it would end the stream without a message. */
type ResourceState<Resource> = { resource: Resource } | { error: unknown }

type Followed<Id, Resource> = {
  id: Id
  watch: ResourceWatch<Id, Resource>
  read(): Promise<Resource>
  /** Failures that pass by themselves: the stream stays open. */
  awaited: Reason[]
  /** Whether no state can follow this one. Without it, one always can. */
  isLast?: (resource: Resource) => boolean
}

/** A missed notification costs at most this long. */
const RECHECK_MS = 30_000
/** The watch may wake at once again, as for a resource whose chain is being caught up with. */
const LEAST_WAIT_MS = 500

/**
 * The present state of a resource, then each change, until the last state, until `return` is called or the watch stops.
 * Not a generator: `return` of one waits behind its pending `await`, and a client that left would
 * be kept for as long.
 */
export function resourceStates<Id, Resource>({
  id,
  watch,
  read,
  awaited,
  isLast = () => false,
}: Followed<Id, Resource>): AsyncIterableIterator<ResourceState<Resource>> {
  const gone = new AbortController()
  let seen: string | null = null
  let isOver = false

  async function readNews(): Promise<ResourceState<Resource> | null> {
    try {
      const resource = await read()
      const version = watch.version(resource)
      if (version === seen) return null
      seen = version
      isOver = isLast(resource)
      return { resource }
    } catch (error) {
      if (error instanceof ServiceError && awaited.includes(error.reason)) return null
      isOver = true
      return { error }
    }
  }

  const done = { done: true as const, value: undefined }
  return {
    async next() {
      let isRepeat = false
      while (!gone.signal.aborted && !isOver) {
        const state = await readNews()
        if (state) return { done: false, value: state }
        const { signal } = gone
        await Promise.all([
          watch.next(id, seen, { timeoutMs: RECHECK_MS, signal }),
          isRepeat && pause(LEAST_WAIT_MS, signal),
        ])
        isRepeat = true
      }
      return done
    },
    async return() {
      gone.abort()
      return done
    },
    async throw(error) {
      gone.abort()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Returns the resource of a state, or throws its error. */
export function resourceOf<Resource>(state: ResourceState<Resource>): Resource {
  if ('error' in state) throw state.error
  return state.resource
}
