import type { FastifyRequest } from 'fastify'
import type { FormattedExecutionResult } from 'graphql'
import { requireAccess } from '../../domain/access/requirePermission.ts'
import type { AnsweredOnce } from '../../domain/idempotency/answerOnce.ts'
import { actOnce } from '../http/actOnce.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { type AdmittedOperation, executeOperation } from './admitOperation.ts'
import { fieldCollector, responseName } from './fieldCollector.ts'
import { formatResult } from './formatResult.ts'

/**
 * Runs an admitted mutation, under an `Idempotency-Key` at most once. Then all of its fields are one transaction, in which
 * each that fails takes back its own changes alone. Throws as `actOnce`, and as `requireAccess` for any of its fields.
 */
export async function runMutation(
  admitted: AdmittedOperation,
  call: { query: string; operationName: string | undefined; variables: object | undefined },
  request: FastifyRequest,
): Promise<AnsweredOnce<FormattedExecutionResult>> {
  const { operation, args } = admitted
  const fields = fieldCollector(args.document)(operation.selectionSet).filter(
    ({ name }) => !name.value.startsWith('__'),
  )
  const { caller } = requestContextOf(request)
  // Else the first answer of a key would be shown to a caller who may not have it any more.
  if ('idempotency-key' in request.headers)
    for (const { name } of fields) requireAccess(caller, { field: name.value, isChange: true })
  return actOnce(request, call, async (contextValue) => {
    const ran = await executeOperation({ ...admitted, args: { ...args, contextValue } })
    const answer = formatResult(ran, admitted, request)
    const isDone = fields.some((field) => (answer.data?.[responseName(field)] ?? null) !== null)
    return { answer, isDone }
  })
}
