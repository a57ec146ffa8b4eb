import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorEnvelope } from '../error/envelope.ts'
import { graphqlErrors } from '../error/graphqlErrors.ts'
import { retryAfterSeconds } from '../error/retryAfterSeconds.ts'
import { toServiceError } from '../error/toServiceError.ts'
import { logFailure } from './logFailure.ts'
import { noteReason } from './requestNotes.ts'

/**
 * Answers a failure with the envelope. On the GraphQL paths, a failure before GraphQL was
 * reached also has `errors`, in the form that GraphQL clients read.
 */
export function sendError(failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toServiceError(failure)
  noteReason(request, error.reason)
  logFailure(request, error)
  // A method that a path does not have has no route.
  const path = error.code === 405 ? request.url : (request.routeOptions.url ?? '')
  const isGraphql = path.startsWith('/graphql')
  const retryAfter = retryAfterSeconds(error)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  reply
    .code(error.code)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({
      ...errorEnvelope(error),
      ...(isGraphql && {
        errors: graphqlErrors([error], { requestId: request.id, report: () => {} }),
      }),
    })
}
