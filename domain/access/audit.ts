import type { Sql, TransactionSql } from 'postgres'

/** Who administers, over which connection; `actor` as in `cli:ops` (the user), `key:<public id>`, `start`. */
export type Administrator = { sql: Sql; actor: string }

type AuditAction =
  | 'organization.create'
  | 'organization.set'
  | 'key.create'
  | 'key.revoke'
  | 'key.rotate'
  | 'index.rebuild'
  | 'webhook.create'
  | 'webhook.change'
  | 'webhook.delete'
  | 'webhook.rotate'
  | 'webhook.redeliver'
  | 'smart_deposit.retry'
  | 'smart_deposit.settle_foreign'

/** What was done to what; `details` may be kept for ever and must hold no secret. */
type AuditEntry = { action: AuditAction; subject: string; details?: object }

export type ListedAuditEntry = Required<AuditEntry> & { at: Date; actor: string }

/** An action that was done, and how the audit table tells it; null for one that changed nothing. */
type Done<Result> = { result: Result; entry: AuditEntry | null }

/** Does something and writes down who did it: both, or neither. */
export async function audited<Result>(
  { sql, actor }: Administrator,
  act: (transaction: TransactionSql) => Promise<Done<Result>>,
): Promise<Result> {
  const done = await sql.begin(async (transaction) => {
    const { result, entry } = await act(transaction)
    if (entry)
      await transaction`
        insert into app.audit (actor, action, subject, details)
        values (${actor}, ${entry.action}, ${entry.subject},
          ${transaction.json({ ...entry.details } as never)})`
    return { result }
  })
  return (done as { result: Result }).result
}

/** The newest actions first, at most `limit`; only those on `subject`, where one is given. */
export function listAudit(
  sql: Sql,
  { subject = null, limit }: { subject?: string | null; limit: number },
): Promise<ListedAuditEntry[]> {
  return sql<ListedAuditEntry[]>`
    select at, actor, action, subject, details from app.audit
    where ${subject}::text is null or subject = ${subject}
    order by id desc limit ${limit}`
}
