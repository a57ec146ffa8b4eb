import {
  type AuditLogPage,
  auditLogQuery,
  completeAuditLogQuery,
  type LoggedAction,
  listAuditLog,
  listCompleteAuditLog,
} from '../../domain/access/auditLog.ts'
import { optional } from '../arguments.ts'
import { builder } from '../builder.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listArguments } from '../listArguments.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'

const LoggedActionRef = builder.objectRef<LoggedAction>('LoggedAction').implement({
  description: 'A recorded change: who did what, to what, and when.',
  fields: fieldsOf(() => ({
    id: nonNull
      .string('The id of the entry. A later entry has a higher one.')
      .by(({ id }) => String(id)),
    createdAt: nonNull.dateTime('The time of the change.'),
    actor: nonNull.string(
      'The actor: `member:<userId>`, `key:<public id>`, `invitation` for a person who was new, and `operator` for the command line. Operators see its user: `cli:<user>`.',
    ),
    actorName: nullable.string(
      'The present name of the member or key. Null for other actors, and for a key without a name.',
    ),
    action: nonNull.string(
      'The change, as `webhook.create` or `member.remove`. There may be more later.',
    ),
    subject: nonNull.string(
      'What was changed: the id of an organization, a member, a webhook endpoint or a deposit, the public id of a key, a chain, a route.',
    ),
    organizationId: nullable.string("The organization. Null for the operator's own matters."),
    details: nonNull.of('ActionDetails', 'More about the change, by action.'),
  })),
})

const AuditLogPageRef = pageRef<AuditLogPage>('AuditLogPage', {
  description: 'A page of recorded changes, the newest first.',
  fields: { actions: nonNull.of([LoggedActionRef], 'The changes.') },
})

const timeArguments = () => ({
  startTime: optional.unixTime('Only changes at this time or later.'),
  endTime: optional.unixTime('Only changes at this time or before.'),
})

listField('auditLog', {
  type: AuditLogPageRef,
  reads: 'index',
  description: 'What was changed in your organization, by whom and when, the newest first.',
  args: { ...listArguments(auditLogQuery.keys), ...timeArguments() },
  query: auditLogQuery,
  list: listAuditLog,
})

listField('completeAuditLog', {
  type: AuditLogPageRef,
  reads: 'index',
  description:
    'What was changed in all organizations and by operators, the newest first. For operators.',
  args: { ...listArguments(completeAuditLogQuery.keys), ...timeArguments() },
  query: completeAuditLogQuery,
  list: listCompleteAuditLog,
})
