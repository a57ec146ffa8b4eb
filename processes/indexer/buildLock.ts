import { pgOptions } from '../../db/databaseUrl.ts'
import { BUILD_LOCK } from '../../db/indexBuilds.ts'
import { PgClient } from '../../db/primary.ts'
import { type Loop, repeat, startLoop } from '../../domain/loop/startLoop.ts'
import type { Logger } from '../logger.ts'

export type BuildLock = { release(): Promise<void> }

type BuildLockOptions = { signal: AbortSignal; onLost: () => void; logger: Logger }

const RETRY_MS = 500
/** Between two questions to the session that has the lock. */
const ASK_MS = 1_000
/** A session that does not answer within this time is lost. */
const ANSWER_MS = 8_000

/**
 * Takes the lock that lets one process at a time write a build. It is an advisory lock of a Postgres
 * session, which is free as soon as the connection closes. With Ponder's own lock, a restart would wait
 * until its heartbeat expires. Resolves to null if `signal` aborts first. `onLost` is called some nine seconds after a
 * server falls silent: another one may be the primary then, where the lock is free.
 */
export async function holdBuildLock(
  databaseUrl: string,
  postgresSchema: string,
  { signal, onLost, logger }: BuildLockOptions,
): Promise<BuildLock | null> {
  const client = new PgClient({
    ...pgOptions(databaseUrl, 'causeway-index-lock'),
    query_timeout: ANSWER_MS,
  })
  await client.connect()
  let isReleased = false
  let asking: Loop | undefined
  const lost = () => !isReleased && onLost()
  client.on('error', lost)
  client.on('end', lost)
  const release = async () => {
    isReleased = true
    await client.end()
    await asking?.stop()
  }
  const take = async () => {
    const isTaken = await tryLock(client, postgresSchema)
    if (!isTaken) logger.info({ postgresSchema }, 'another indexer holds this build, waiting')
    return isTaken
  }
  if (await repeat({ run: take, everyMs: RETRY_MS }, signal)) {
    asking = askUntilSilent(client, lost)
    return { release }
  }
  await release()
  return null
}

/** An idle session would not notice for two hours that the machine of its server is gone. */
function askUntilSilent(client: PgClient, onSilent: () => void): Loop {
  return startLoop({
    run: () => client.query('select 1'),
    everyMs: ASK_MS,
    onFailure() {
      onSilent()
      return true
    },
  })
}

async function tryLock(client: PgClient, postgresSchema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtext($1), hashtext($2)) as locked',
    [BUILD_LOCK, postgresSchema],
  )
  return rows[0]?.locked === true
}
