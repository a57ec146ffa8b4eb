import { setTimeout as sleep } from 'node:timers/promises'
import { pgOptions } from './databaseUrl.ts'
import { INDEX_BUILD_CHANNEL } from './indexBuilds.ts'
import { PgClient } from './primary.ts'

/** Calls listeners at every change of the served index, block by block, and at events of smart deposits. */
export type IndexListener = {
  onChange(listener: () => void): () => void
  onSmartDeposit(listener: () => void): () => void
  /** Ends the session, and waits for that for a second at most. */
  stop(): Promise<void>
}

const RECONNECT_MS = 250
const STOP_MS = 1_000
/** Notified by the trigger on app.event. */
const SMART_DEPOSIT_CHANNEL = 'causeway_smart_deposit'

/**
 * Listens to the notifications of the served builds on its own session. All listeners are called when
 * another build is served and after a reconnect, since notifications in between are lost.
 * (pg, not postgres.js: the latter's `listen` gives up when one reconnect fails.)
 */
export function startIndexListener(
  databaseUrl: string,
  onError: (error: unknown) => void,
): IndexListener {
  const ofIndex = new Set<() => void>()
  const ofSmartDeposits = new Set<() => void>()
  const stopping = new AbortController()
  let client: PgClient | undefined

  const wake = (listeners: Set<() => void>) => {
    for (const listener of listeners) listener()
  }
  const subscribe = (listeners: Set<() => void>) => (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  async function session() {
    const current = new PgClient(pgOptions(databaseUrl, 'causeway-index-listener'))
    client = current
    const ended = new Promise<void>((resolve) => {
      current.once('end', resolve)
      // A lost connection gives two errors: the server's last message, then the end of the stream.
      current.on('error', (error) => {
        onError(error)
        resolve()
      })
    })
    await current.connect()
    // Before the first `listen`: a build may be served while the others are asked for.
    current.on('notification', ({ channel }) => {
      if (channel === SMART_DEPOSIT_CHANNEL) return wake(ofSmartDeposits)
      if (channel !== INDEX_BUILD_CHANNEL) return wake(ofIndex)
      listenToServedBuilds(current).then(() => wake(ofIndex), onError)
    })
    await current.query(`listen ${INDEX_BUILD_CHANNEL}`)
    await current.query(`listen ${SMART_DEPOSIT_CHANNEL}`)
    await listenToServedBuilds(current)
    wake(ofIndex)
    wake(ofSmartDeposits)
    await ended
  }

  async function run() {
    while (!stopping.signal.aborted) {
      await session().catch(onError)
      // An abort only ends the wait.
      await sleep(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    onChange: subscribe(ofIndex),
    onSmartDeposit: subscribe(ofSmartDeposits),
    async stop() {
      stopping.abort()
      ofIndex.clear()
      ofSmartDeposits.clear()
      const ended = Promise.all([client?.end().catch(onError), running])
      // A server that does not answer does not end the session either.
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}

/** Replaced builds are not unlistened: they are dropped soon, and a needless call is cheap. */
async function listenToServedBuilds(client: PgClient) {
  const { rows } = await client.query<{ schema: string }>(`
    select distinct postgres_schema as schema from app.index_build where state = 'served'`)
  for (const { schema } of rows) await client.query(`listen ${schema}_live_query`)
}
