import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { throwIfAborted } from '../connection/abort.ts'
import type { WatchOptions } from '../watch/watchStates.ts'

/**
 * The most that a page follows by streams or held requests; further ones poll. Browsers open six connections to
 * a server over HTTP/1.1, and other requests need some of them.
 */
const CONNECTIONS = 4

type Following = {
  users: number
  ended: AbortController
  /** The newest state, once there is one; null if the following ended before. */
  state: Promise<unknown>
}

export type Followed<State> = {
  queryKey: QueryKey
  /** A null state: it does not exist any more, and may come back. */
  states: (options: WatchOptions) => AsyncIterable<State | null>
  /** Called when others may have changed with it. */
  onNews: () => void
}

const followings = new WeakMap<QueryClient, Map<string, Following>>()

function followingsOf(client: QueryClient): Map<string, Following> {
  const known = followings.get(client) ?? new Map<string, Following>()
  followings.set(client, known)
  return known
}

/**
 * Keeps the data of a query live until the returned function is called. All that follow the same query share one
 * stream, which ends with the last of them.
 */
export function follow<State>(client: QueryClient, followed: Followed<State>): () => void {
  const hash = hashKey(followed.queryKey)
  const following = followingsOf(client).get(hash) ?? start(client, hash, followed)
  following.users++
  return () => {
    following.users--
    if (following.users === 0) end(client, hash, following)
  }
}

/** The newest state of a query that is followed, which may have to be awaited; null if it is not followed. */
export async function followedState<State>(
  client: QueryClient,
  queryKey: QueryKey,
): Promise<State | null> {
  const following = followings.get(client)?.get(hashKey(queryKey))
  // The state of this key was written by the same query.
  return ((await following?.state) ?? null) as State | null
}

function start<State>(client: QueryClient, hash: string, followed: Followed<State>): Following {
  const known = followingsOf(client)
  const ways: WatchOptions = known.size < CONNECTIONS ? {} : { transports: ['poll'] }
  const following: Following = { users: 0, ended: new AbortController(), state: Promise.resolve() }
  known.set(hash, following)
  void run(client, { hash, following, ways, followed })
  return following
}

function end(client: QueryClient, hash: string, following: Following): void {
  const known = followingsOf(client)
  if (known.get(hash) === following) known.delete(hash)
  following.ended.abort()
}

type Run<State> = {
  hash: string
  following: Following
  ways: WatchOptions
  followed: Followed<State>
}

async function run<State>(client: QueryClient, given: Run<State>): Promise<void> {
  const { hash, following, ways, followed } = given
  const { signal } = following.ended
  const query = { queryKey: followed.queryKey, exact: true }
  let isRefused = false
  let hasState = false
  // The first state is no news to a page that has read it already.
  let isNews = client.getQueryData(query.queryKey) === undefined
  let settle: (state: unknown) => void = () => {}
  try {
    // A read that began before would overwrite a newer state. Its failure is in the query already. It may try again, and
    // would then wait for a state that waits for it: reads wait only after it.
    const before = client.getQueryCache().find(query)
    if (before && before.state.fetchStatus !== 'idle') await before.promise?.catch(() => {})
    throwIfAborted(signal)
    settle = awaitState(following)
    for await (const state of followed.states({ signal, ...ways })) {
      if (state === null) {
        if (hasState) settle = awaitState(following)
        if (hasState) void client.resetQueries(query)
        hasState = false
        continue
      }
      client.setQueryData<unknown>(query.queryKey, state)
      hasState = true
      settle(state)
      following.state = Promise.resolve(state)
      if (isNews) followed.onNews()
      isNews = true
    }
  } catch {
    isRefused = !signal.aborted
  } finally {
    end(client, hash, following)
    settle(null)
  }
  // The read that this causes reports the refusal.
  if (isRefused) await client.invalidateQueries(query, { cancelRefetch: false })
}

/** Reads of the query wait from now on, until the returned function is called. */
function awaitState(following: Following): (state: unknown) => void {
  let settle: (state: unknown) => void = () => {}
  following.state = new Promise((resolve) => {
    settle = resolve
  })
  return settle
}
