import type { FastifyRequest } from 'fastify'
import type { ExecutionResult, FormattedExecutionResult } from 'graphql'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { observe } from '../../domain/observation/observe.ts'
import { graphqlErrors } from '../error/graphqlErrors.ts'
import { retryAfterSeconds } from '../error/retryAfterSeconds.ts'
import { toServiceError } from '../error/toServiceError.ts'
import { REPEATED_HEADERS } from '../http/actOnce.ts'
import { answerOnceIndexed } from '../http/answerOnceIndexed.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { noteOperation } from '../http/requestNotes.ts'
import { type AdmittedOperation, admitOperation, executeOperation } from './admitOperation.ts'
import { chargeDocument, chargeOperation } from './chargeOperation.ts'
import { deprecationHeaders } from './deprecationHeaders.ts'
import { failureReport, formatResult } from './formatResult.ts'
import { prepareOperation } from './prepareOperation.ts'
import { runMutation } from './runMutation.ts'

const CATCHING_UP = 'INDEX_CATCHING_UP'

export type GraphqlRequest = {
  query: string
  operationName: string | undefined
  variables: Record<string, unknown> | undefined
}
export type GraphqlAnswer = {
  code: number
  headers: Record<string, string>
  result: FormattedExecutionResult
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
  const headers: Record<string, string> = {}
  try {
    // A persisted query: its request was charged without its text.
    if (query !== textOf(request)) await chargeDocument(request, query)
    const prepared = prepareOperation(query, operationName)
    Object.assign(headers, deprecationHeaders(prepared.document))
    noteOperation(request, prepared.operation.name?.value)
    const context = requestContextOf(request)
    const admitted = admitOperation(prepared, { variables, context })
    await chargeOperation(request, admitted.cost)
    const isChange = prepared.operation.operation === 'mutation'
    const { answer: result, isRepeated } = isChange
      ? await runMutation(admitted, { query, operationName, variables }, request)
      : {
          answer: formatResult(await executeIndexed(admitted, request), admitted, request),
          isRepeated: false,
        }
    const isAnswered = result.data !== undefined
    const outcome = result.errors ? (isAnswered ? 'partial' : 'refused') : 'answered'
    observe({ kind: 'graphql', operation: prepared.operation.operation, outcome })
    if (isRepeated) Object.assign(headers, REPEATED_HEADERS)
    return { code: isAnswered ? 200 : 400, headers, result }
  } catch (error) {
    const refusal = toServiceError(error)
    const { code } = refusal
    observe({ kind: 'graphql', operation: 'none', outcome: code < 500 ? 'refused' : 'failed' })
    const seconds = retryAfterSeconds(refusal)
    if (seconds !== undefined) headers['retry-after'] = String(seconds)
    return { code, headers, result: { errors: graphqlErrors([error], failureReport(request)) } }
  }
}

/** Runs a query, again once the index has caught up. One that has not is partial, and names its fields. */
async function executeIndexed(
  admitted: AdmittedOperation,
  request: FastifyRequest,
): Promise<ExecutionResult> {
  let result: ExecutionResult = {}
  const run = async () => {
    result = await executeOperation(admitted)
    const refused = result.errors?.map(toServiceError).find(({ reason }) => reason === CATCHING_UP)
    if (refused) throw refused
  }
  await answerOnceIndexed(request, run).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.reason === CATCHING_UP)) throw error
  })
  return result
}
