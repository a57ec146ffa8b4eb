import { randomUUID } from 'node:crypto'
import type { ISql } from 'postgres'

type Account = { id: string; email: string; name: string; passwordHash: string }

/** An account with a password, in the form of Better Auth; false if the address has one already. */
export async function createCredential(
  sql: ISql,
  { id, email, name, passwordHash }: Account,
): Promise<boolean> {
  // The invitation's link was sent to this address.
  const created = await sql`
    insert into app.console_user (id, email, name, email_verified)
    values (${id}, ${email}, ${name}, true) on conflict (email) do nothing`
  if (created.count === 0) return false
  await sql`
    insert into app.console_credential (id, user_id, account_id, provider_id, password)
    values (${randomUUID()}, ${id}, ${id}, 'credential', ${passwordHash})`
  return true
}
