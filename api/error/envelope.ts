import type { FieldViolation, ServiceError } from '../../domain/error/serviceError.ts'

const TYPE_PREFIX = 'type.service.dev/errors'

type ErrorDetail = {
  '@type': string
  fieldViolations: FieldViolation[]
  reason?: string
  metadata?: Record<string, string>
}
export type ErrorBody = {
  code: number
  message: string
  status: string
  details: ErrorDetail[]
}

/** An error as REST and GraphQL show it: `BadRequest` with every bad field, and `ErrorInfo` for machines. */
export function errorBody(error: ServiceError): ErrorBody {
  const { code, message, status, reason, metadata, fieldViolations } = error
  const info = { '@type': `${TYPE_PREFIX}/ErrorInfo`, reason, metadata, fieldViolations: [] }
  const details =
    fieldViolations.length > 0
      ? [{ '@type': `${TYPE_PREFIX}/BadRequest`, fieldViolations }, info]
      : [info]
  return { code, message, status, details }
}

/** The body of every failed REST answer. */
export function errorEnvelope(error: ServiceError): { error: ErrorBody } {
  return { error: errorBody(error) }
}
