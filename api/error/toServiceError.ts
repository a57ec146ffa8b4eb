import { GraphQLError } from 'graphql'
import { isDatabaseDown } from '../../db/isDatabaseDown.ts'
import { isNotIndexed } from '../../db/isNotIndexed.ts'
import type { Reason } from '../../domain/error/reason.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'

/** Refusals of Fastify itself, by its error codes. */
const FASTIFY_REASONS: Record<string, { reason: Reason; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    reason: 'REQUEST_TOO_LARGE',
    message: 'The request body is larger than 64 KiB.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    reason: 'UNSUPPORTED_CONTENT_TYPE',
    message: 'Send the request body with Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    reason: 'MALFORMED_JSON',
    message: 'The request body is not valid JSON.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    reason: 'MALFORMED_JSON',
    message: 'The request body is empty; expected JSON.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    reason: 'MALFORMED_REQUEST',
    message: 'The length of the request body differs from Content-Length.',
  },
  FST_ERR_MAX_PARAM_LENGTH: {
    reason: 'REQUEST_TOO_LARGE',
    message: 'The URL is longer than 16 KiB.',
  },
  FST_ERR_BAD_URL: {
    reason: 'MALFORMED_REQUEST',
    message: 'The path of the URL is not validly percent-encoded.',
  },
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/**
 * Maps every failure, for REST and GraphQL. A `ServiceError` stays itself, failures of Fastify, the JSON
 * parser and the database get a reason, and all others are masked as `UNEXPECTED`.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof GraphQLError && error.originalError)
    return toServiceError(error.originalError)

  const known = FASTIFY_REASONS[codeOf(error) ?? '']
  if (known) return new ServiceError(known.reason, known.message, { cause: error })
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400)
    return new ServiceError('MALFORMED_JSON', 'The request body is not valid JSON.', {
      cause: error,
    })
  if (isDatabaseDown(error))
    return new ServiceError('DATABASE_UNAVAILABLE', 'The database does not answer.', {
      cause: error,
    })
  if (isNotIndexed(error))
    return new ServiceError('INDEX_CATCHING_UP', 'The data of this request is not indexed yet.', {
      retryAfterSeconds: 1,
      cause: error,
    })
  return new ServiceError('UNEXPECTED', 'An internal error. It is logged.', {
    cause: error,
  })
}
