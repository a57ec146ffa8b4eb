import type { FastifyRequest } from 'fastify'
import type { FieldNode, FormattedExecutionResult, OperationDefinitionNode } from 'graphql'
import { requireAccess } from '../../domain/access/requirePermission.ts'
import { invalidFields } from '../../domain/error/serviceError.ts'
import type { AnsweredOnce } from '../../domain/idempotency/answerOnce.ts'
import { actOnce } from '../http/actOnce.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { type AdmittedOperation, executeOperation } from './admitOperation.ts'
import { fieldCollector, responseName } from './fieldCollector.ts'
import { formatResult } from './formatResult.ts'

type Variables = Record<string, unknown>

/**
 * Runs an admitted mutation, under an `Idempotency-Key` at most once. With a key it has one field: a second one could ask
 * others, as for the address of a host, while the first holds locks that everybody's changes need. Throws as `actOnce`, as
 * `requireAccess` for the field, and `INVALID_FIELD`.
 */
export async function runMutation(
  admitted: AdmittedOperation,
  call: { query: string; operationName: string | undefined; variables: Variables | undefined },
  request: FastifyRequest,
): Promise<AnsweredOnce<FormattedExecutionResult>> {
  const { operation, args } = admitted
  const fields = fieldCollector(args.document)(operation.selectionSet).filter(
    ({ name }) => !name.value.startsWith('__'),
  )
  if ('idempotency-key' in request.headers) requireOneField(fields, request)
  const ownCall = { ...call, variables: declaredOf(operation, call.variables) }
  return actOnce(request, ownCall, async (contextValue) => {
    const ran = await executeOperation({ ...admitted, args: { ...args, contextValue } })
    const answer = formatResult(ran, admitted, request)
    const isDone = fields.some((field) => (answer.data?.[responseName(field)] ?? null) !== null)
    return { answer, isDone }
  })
}

/** The variables that make the call what it is. Others change nothing, and can be nested deeper than JSON can be written. */
function declaredOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables | undefined,
): Variables | undefined {
  const declared = new Set(variableDefinitions.map(({ variable }) => variable.name.value))
  return (
    variables &&
    Object.fromEntries(Object.entries(variables).filter(([name]) => declared.has(name)))
  )
}

function requireOneField(fields: FieldNode[], request: FastifyRequest) {
  const { caller } = requestContextOf(request)
  // Else the first answer of a key would be shown to a caller who may not have it any more.
  for (const { name } of fields) requireAccess(caller, { field: name.value, isChange: true })
  if (fields.length <= 1) return
  const description = 'a mutation with a key has one field: send each with a key of its own'
  throw invalidFields([{ field: 'Idempotency-Key', description }])
}
