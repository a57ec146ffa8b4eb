import type { Sql, TransactionSql } from 'postgres'

/** An actor and its connection; `actor` is for example `cli:ops` (the user), `key:<public id>`, `start` or `worker`. */
export type Administrator = { sql: Sql; actor: string }

/** Every action that is recorded. */
export const AUDIT_ACTIONS = [
  'organization.create',
  'organization.set',
  'member.invite',
  'member.revoke_invitation',
  'member.join',
  'member.change_role',
  'member.remove',
  'key.create',
  'key.rename',
  'key.revoke',
  'key.rotate',
  'index.rebuild',
  'index.restore',
  'transit.pause',
  'transit.resume',
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'webhook.rotate',
  'webhook.redeliver',
  'webhook.replay',
  'webhook.cancel_replay',
  'webhook.failing',
  'webhook.disabled',
  'smart_deposit.refund',
  'smart_deposit.retry',
  'smart_deposit.settle_foreign',
  'smart_deposit.look_again',
] as const

/** An action and its subject; `details` are kept for ever and must hold no secret. */
type AuditEntry = {
  action: (typeof AUDIT_ACTIONS)[number]
  subject: string
  /** The organization whose log shows it; null for the operator's own matters. */
  organizationId: string | null
  details?: object
}

export type ListedAuditEntry = Required<AuditEntry> & { at: Date; actor: string }

/** The result of an action and its audit entry; null if it changed nothing. */
type Done<Result> = { result: Result; entry: AuditEntry | null }

/** Runs an action and records its entry in the same transaction. */
export async function audited<Result>(
  { sql, actor }: Administrator,
  act: (transaction: TransactionSql) => Promise<Done<Result>>,
): Promise<Result> {
  const done = await sql.begin(async (transaction) => {
    const { result, entry } = await act(transaction)
    if (entry) await recordAudit(transaction, actor, entry)
    return { result }
  })
  return (done as { result: Result }).result // The driver's type unwraps lists, and this is none.
}

/** Adds an entry in the caller's transaction. */
export async function recordAudit(
  sql: TransactionSql,
  actor: string,
  { action, subject, organizationId, details }: AuditEntry,
): Promise<void> {
  // Cast, because the driver's type of JSON is narrower than `object`. All details are plain JSON.
  await sql`
    insert into app.audit (actor, action, subject, organization_id, details)
    values (${actor}, ${action}, ${subject}, ${organizationId},
      ${sql.json({ ...details } as never)})`
}

/** At most `limit` actions, all or those on `subject`; the newest first. */
export function listAudit(
  sql: Sql,
  { subject = null, limit }: { subject?: string | null; limit: number },
): Promise<ListedAuditEntry[]> {
  return sql<ListedAuditEntry[]>`
    select at, actor, action, subject, details from app.audit
    where ${subject}::text is null or subject = ${subject}
    order by id desc limit ${limit}`
}
