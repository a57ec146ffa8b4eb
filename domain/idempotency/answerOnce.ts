import { Buffer } from 'node:buffer'
import type { ISql, Sql, TransactionSql } from 'postgres'
import type { SharedServices } from '../context.ts'
import { invalidFields, ServiceError } from '../error/serviceError.ts'
import { openSecret, sealSecret } from '../secret/sealedSecret.ts'
import { lateTransaction } from './lateTransaction.ts'

/** How long the first answer of a key is given again. */
const KEPT_HOURS = 24

/** A call that acts, under the key of its client. */
export type KeyedCall = {
  organizationId: string
  /** 1 to 255 visible ASCII characters. */
  key: string
  /** SHA-256 of all that makes the call another one. */
  fingerprint: Uint8Array
}

/** `isDone` is false where the call changed nothing: then its answer is not kept. */
export type Acted<Answer> = { answer: Answer; isDone: boolean }

export type AnsweredOnce<Answer> = {
  answer: Answer /** Whether it is the first answer again. */
  isRepeated: boolean
}

type Keeping = Pick<SharedServices, 'sql' | 'changeSql'> & {
  /** 32 bytes that encrypt kept answers. */ secretsKey: Uint8Array
}

/**
 * Acts once for a key: a later call gets the first answer again. The answer is kept in the transaction of the change,
 * so there is never one without the other. `act` must change what it changes by transactions of the connection that it
 * gets, and ask nobody else within them. Throws `IDEMPOTENCY_KEY_REUSED` for another call under the same key,
 * `IDEMPOTENCY_KEY_IN_USE` while the first is under way.
 */
export async function answerOnce<Answer>(
  { sql, changeSql, secretsKey }: Keeping,
  call: KeyedCall,
  act: (sql: Sql) => Promise<Acted<Answer>>,
): Promise<AnsweredOnce<Answer>> {
  const kept = await findAnswer(sql, call)
  if (kept)
    return { answer: JSON.parse(openSecret(kept, sealName(call), secretsKey)), isRepeated: true }
  const late = lateTransaction({ reads: sql, changes: changeSql }, async (transaction, ready) => {
    await takeKey(transaction, call)
    // Another call was answered meanwhile.
    if (await findAnswer(transaction, call)) throw keyInUse()
    ready()
    const { answer, isDone } = await acting
    if (!isDone) throw new NothingDone('nothing was changed')
    const sealed = sealSecret(JSON.stringify(answer), sealName(call), secretsKey)
    await keepAnswer(transaction, call, sealed)
  })
  const acting = act(late.sql)
  const isDone = await acting.then(
    (acted) => acted.isDone,
    () => false,
  )
  if (isDone || late.isBegun())
    await late.finish().catch((error) => {
      if (!(error instanceof NothingDone)) throw error
    })
  const { answer } = await acting
  return { answer, isRepeated: false }
}

/** Deletes the answers that are not given again any more. */
export async function forgetAnswers(sql: Sql): Promise<void> {
  await sql`delete from app.idempotency_key where answered_at <= now() - make_interval(hours => ${KEPT_HOURS})`
}

/** Takes a transaction back whose call changed nothing. */
class NothingDone extends Error {}

function keyInUse(): ServiceError {
  return new ServiceError(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first call with this Idempotency-Key is under way: ask again for its answer.',
    { retryAfterSeconds: 1 },
  )
}

function sealName({ organizationId, key }: KeyedCall): string {
  return `idempotency:${organizationId}:${key}`
}

/** Holds the key until the transaction ends, however it ends: the death of a process frees it too. */
async function takeKey(sql: TransactionSql, call: KeyedCall): Promise<void> {
  const [row] = await sql<{ isTaken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${sealName(call)}, 0)) as "isTaken"`
  if (!row?.isTaken) throw keyInUse()
}

async function findAnswer(
  sql: ISql,
  { organizationId, key, fingerprint }: KeyedCall,
): Promise<Uint8Array | null> {
  const [found] = await sql<{ fingerprint: Uint8Array; sealed: Uint8Array }[]>`
    select fingerprint, sealed_answer as sealed from app.idempotency_key
    where organization_id = ${organizationId} and key = ${key}
      and answered_at > now() - make_interval(hours => ${KEPT_HOURS})`
  if (!found) return null
  if (Buffer.compare(found.fingerprint, fingerprint) === 0) return found.sealed
  const description =
    'was sent with another call, or by another caller; take a new key for each call'
  throw invalidFields([{ field: 'Idempotency-Key', description }], 'IDEMPOTENCY_KEY_REUSED')
}

/** One that is older than a day is replaced. */
async function keepAnswer(
  sql: TransactionSql,
  { organizationId, key, fingerprint }: KeyedCall,
  sealed: Uint8Array,
): Promise<void> {
  await sql`
    insert into app.idempotency_key (organization_id, key, fingerprint, sealed_answer)
    values (${organizationId}, ${key}, ${fingerprint}, ${sealed})
    on conflict (organization_id, key) do update set
      fingerprint = excluded.fingerprint, sealed_answer = excluded.sealed_answer,
      answered_at = excluded.answered_at`
}
