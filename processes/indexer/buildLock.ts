import { pgOptions } from '../../db/databaseUrl.ts'
import { BUILD_LOCK } from '../../db/indexBuilds.ts'
import { PgClient } from '../../db/primary.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import type { Logger } from '../logger.ts'

export type BuildLock = { release(): Promise<void> }

type BuildLockOptions = { signal: AbortSignal; onLost: () => void; logger: Logger }

const RETRY_MS = 500

/**
 * Takes the lock that lets one process at a time write a build. It is an advisory lock of a Postgres
 * session, which is free as soon as the connection closes. With Ponder's own lock, a restart would wait
 * until its heartbeat expires. Resolves to null if `signal` aborts first.
 */
export async function holdBuildLock(
  databaseUrl: string,
  postgresSchema: string,
  { signal, onLost, logger }: BuildLockOptions,
): Promise<BuildLock | null> {
  const client = new PgClient(pgOptions(databaseUrl, 'causeway-index-lock'))
  await client.connect()
  let isReleased = false
  const lost = () => !isReleased && onLost()
  client.on('error', lost)
  client.on('end', lost)
  const release = async () => {
    isReleased = true
    await client.end()
  }
  const take = async () => {
    const isTaken = await tryLock(client, postgresSchema)
    if (!isTaken) logger.info({ postgresSchema }, 'another indexer holds this build, waiting')
    return isTaken
  }
  if (await repeat({ run: take, everyMs: RETRY_MS }, signal)) return { release }
  await release()
  return null
}

async function tryLock(client: PgClient, postgresSchema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtext($1), hashtext($2)) as locked',
    [BUILD_LOCK, postgresSchema],
  )
  return rows[0]?.locked === true
}
