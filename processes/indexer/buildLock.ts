import pg from 'pg'
import { pause } from '../../domain/watch/pause.ts'
import type { Logger } from '../logger.ts'

export type BuildLock = { release(): Promise<void> }

type BuildLockOptions = { signal: AbortSignal; onLost: () => void; logger: Logger }

const RETRY_MS = 500

/**
 * Holds, for as long as this process lives, the right to write one build: a session's advisory lock,
 * which Postgres frees the moment a killed process's connection closes. Ponder's own lock would keep
 * a restart waiting for its heartbeat to expire. Resolves to null when `signal` came first.
 */
export async function holdBuildLock(
  databaseUrl: string,
  postgresSchema: string,
  { signal, onLost, logger }: BuildLockOptions,
): Promise<BuildLock | null> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'causeway-index-lock',
    keepAlive: true,
  })
  await client.connect()
  let isReleased = false
  const lost = () => !isReleased && onLost()
  client.on('error', lost)
  client.on('end', lost)
  while (!(await tryLock(client, postgresSchema))) {
    logger.info({ postgresSchema }, 'another launcher holds this build, waiting')
    await pause(RETRY_MS, signal)
    if (!signal.aborted) continue
    isReleased = true
    await client.end()
    return null
  }
  return {
    async release() {
      isReleased = true
      await client.end()
    },
  }
}

async function tryLock(client: pg.Client, postgresSchema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtext('causeway.index'), hashtext($1)) as locked`,
    [postgresSchema],
  )
  return rows[0]?.locked === true
}
