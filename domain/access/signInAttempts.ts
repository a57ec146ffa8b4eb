import { createHmac } from 'node:crypto'
import type { Sql } from 'postgres'
import { ServiceError } from '../error/serviceError.ts'
import { derivedKey } from '../secret/derivedKey.ts'

const WINDOW_SECONDS = 15 * 60
/** Attempts in a window. Many people may share an address. */
const MOST = { account: 5, address: 30 }

export type AttemptContext = { sql: Sql; appSecret: Uint8Array }
/** An attempt to prove who is there. `account` is an email address or an id; null if only the address is counted. */
export type SignInAttempt = { account: string | null; address: string }

/**
 * Counts an attempt before it is judged, so that parallel ones are counted too. Throws `SIGN_IN_LOCKED` for the
 * account or the address with too many. All replicas share the counts.
 */
export async function chargeAttempt(
  context: AttemptContext,
  attempt: SignInAttempt,
): Promise<void> {
  const { sql } = context
  await deleteExpired(sql)
  await charge(sql, addressName(attempt), MOST.address)
  if (attempt.account !== null)
    await charge(sql, accountName(context, attempt.account), MOST.account)
}

/** Deletes what signing in leaves behind: counts, waiting sign-ins and sessions whose time is over. */
export async function deleteExpired(sql: Sql): Promise<void> {
  await sql`delete from app.console_attempt where ends_at < now()`
  await sql`delete from app.console_verification where expires_at < now()`
  await sql`delete from app.console_session where expires_at < now()`
}

/** Forgets the attempts on an account after a right one, and the right one of the address. */
export async function forgiveAttempt(
  context: AttemptContext,
  attempt: SignInAttempt,
): Promise<void> {
  const { sql } = context
  const { account } = attempt
  await sql`update app.console_attempt set attempts = attempts - 1 where name = ${addressName(attempt)}`
  if (account !== null)
    await sql`delete from app.console_attempt where name = ${accountName(context, account)}`
}

/** A code of an authenticator app is valid for its 30 seconds and those before and after, as our clock sees them. */
const CODE_SECONDS = 90

type UsedCode = { userId: string; code: string }

/** Takes a code out of use; false if somebody used it already. All replicas share this. */
export async function claimCode(context: AttemptContext, used: UsedCode): Promise<boolean> {
  const { sql } = context
  const claimed = await sql`
    insert into app.console_attempt (name, attempts, ends_at)
    values (${codeName(context, used)}, 1, now() + make_interval(secs => ${CODE_SECONDS}))
    on conflict (name) do nothing`
  return claimed.count === 1
}

/** Undoes the claim of a code that was wrong: it may be right later. */
export async function releaseCode(context: AttemptContext, used: UsedCode): Promise<void> {
  const { sql } = context
  await sql`delete from app.console_attempt where name = ${codeName(context, used)}`
}

async function charge(sql: Sql, name: string, most: number) {
  const [counted] = await sql<{ attempts: number; seconds: number }[]>`
    insert into app.console_attempt as a (name, attempts, ends_at)
    values (${name}, 1, now() + make_interval(secs => ${WINDOW_SECONDS}))
    on conflict (name) do update set attempts = a.attempts + 1
    returning attempts, ceil(extract(epoch from ends_at - now()))::int as seconds`
  if (!counted || counted.attempts <= most) return
  throw new ServiceError(
    'SIGN_IN_LOCKED',
    `Too many attempts to sign in. Retry after ${counted.seconds} s.`,
    { retryAfterSeconds: counted.seconds },
  )
}

function addressName({ address }: SignInAttempt): string {
  return `address:${address}`
}

/** Without the email address, which may be of somebody who has no account here. */
function accountName(context: AttemptContext, account: string): string {
  return `account:${hashOf(context, account.toLowerCase())}`
}

function codeName(context: AttemptContext, { userId, code }: UsedCode): string {
  return `code:${hashOf(context, `${userId}:${code}`)}`
}

function hashOf({ appSecret }: AttemptContext, text: string): string {
  return createHmac('sha256', derivedKey(appSecret, 'console')).update(text).digest('base64url')
}
