import { pgOptions } from './databaseUrl.ts'
import { PgClient } from './primary.ts'

/** An advisory lock of a chain. */
type SessionLock = {
  /** False once its session is lost: Postgres has then released the lock. */
  isHeld(): boolean
  release(): Promise<void>
}

export type SessionLocks = {
  /** Null if another session holds it. This session may take a lock that it holds once more. */
  take(name: string, chainId: number): Promise<SessionLock | null>
  stop(): Promise<void>
}

/**
 * Advisory locks of chains, held by one session: Postgres releases them when the connection of a dead process closes. A
 * process that lost its connection may still run for a while, so what it writes needs a number that each write checks.
 */
export function createSessionLocks(databaseUrl: string, applicationName: string): SessionLocks {
  let session: PgClient | null = null
  let opening: Promise<PgClient> | null = null

  async function open(): Promise<PgClient> {
    const client = new PgClient(pgOptions(databaseUrl, applicationName))
    const lost = () => {
      if (session === client) session = null
    }
    client.on('error', lost)
    client.on('end', lost)
    await client.connect()
    session = client
    return client
  }

  async function current(): Promise<PgClient> {
    if (session) return session
    opening ??= open().finally(() => {
      opening = null
    })
    return opening
  }

  return {
    async take(name, chainId) {
      const client = await current()
      const { rows } = await client.query<{ isTaken: boolean }>(
        `select pg_try_advisory_lock(hashtext($1), $2) as "isTaken"`,
        [name, chainId],
      )
      if (!rows[0]?.isTaken) return null
      const isHeld = () => session === client
      return {
        isHeld,
        async release() {
          if (isHeld())
            await client.query(`select pg_advisory_unlock(hashtext($1), $2)`, [name, chainId])
        },
      }
    },
    async stop() {
      await session?.end()
    },
  }
}
