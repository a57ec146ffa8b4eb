import type { FastifyRequest } from 'fastify'
import type { ExecutionResult, FormattedExecutionResult } from 'graphql'
import { executionErrors, type FailureReport } from '../error/graphqlErrors.ts'
import { logFailure } from '../http/logFailure.ts'
import { noteReason } from '../http/requestNotes.ts'
import type { AdmittedOperation } from './admitOperation.ts'

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
export function formatResult(
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
