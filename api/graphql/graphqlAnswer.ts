import type { FastifyRequest } from 'fastify'
import type { ExecutionResult, FormattedExecutionResult } from 'graphql'
import { observe } from '../../domain/observation/observe.ts'
import { executionErrors, type FailureReport, graphqlErrors } from '../error/graphqlErrors.ts'
import { toServiceError } from '../error/toServiceError.ts'
import { logFailure } from '../http/logFailure.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { noteOperation, noteReason } from '../http/requestNotes.ts'
import { type AdmittedOperation, admitOperation, executeOperation } from './admitOperation.ts'
import { chargeDocument, chargeOperation } from './chargeOperation.ts'
import { prepareOperation } from './prepareOperation.ts'

export type GraphqlRequest = {
  query: string
  operationName: string | undefined
  variables: Record<string, unknown> | undefined
}
export type GraphqlAnswer = { code: number; result: FormattedExecutionResult }

/** Logs and notes the failures of this request, and has the id that its client sees. */
export function failureReport(request: FastifyRequest): FailureReport {
  return {
    requestId: request.id,
    report(error) {
      noteReason(request, error.reason)
      logFailure(request, error)
    },
  }
}

/** The result of an execution as clients see it: with its cost, and with masked errors. */
function formatResult(
  { data, errors }: ExecutionResult,
  { cost }: Pick<AdmittedOperation, 'cost'>,
  request: FastifyRequest,
): FormattedExecutionResult {
  return {
    ...(errors && { errors: executionErrors(errors, failureReport(request)) }),
    ...(data !== undefined && { data }),
    extensions: { cost },
  }
}

/** The query text of a request; empty for a persisted query, and for what is no GraphQL. */
export function textOf({ body, query }: FastifyRequest): string {
  const { query: text } = Object(body ?? query) as { query?: unknown }
  return typeof text === 'string' ? text : ''
}

/**
 * Prepares and runs one operation. The HTTP code is 200 as soon as there is data, however partial;
 * a request that could not be run answers with the code of its error.
 */
export async function graphqlAnswer(
  { query, operationName, variables }: GraphqlRequest,
  request: FastifyRequest,
): Promise<GraphqlAnswer> {
  try {
    // A persisted query: its request was charged without its text.
    if (query !== textOf(request)) await chargeDocument(request, query)
    const prepared = prepareOperation(query, operationName)
    noteOperation(request, prepared.operation.name?.value)
    const context = requestContextOf(request)
    const admitted = admitOperation(prepared, { variables, context })
    await chargeOperation(request, admitted.cost)
    const result = formatResult(await executeOperation(admitted), admitted, request)
    const isAnswered = result.data !== undefined
    const outcome = result.errors ? (isAnswered ? 'partial' : 'refused') : 'answered'
    observe({ kind: 'graphql', operation: prepared.operation.operation, outcome })
    return { code: isAnswered ? 200 : 400, result }
  } catch (error) {
    const { code } = toServiceError(error)
    observe({ kind: 'graphql', operation: 'none', outcome: code < 500 ? 'refused' : 'failed' })
    return { code, result: { errors: graphqlErrors([error], failureReport(request)) } }
  }
}
