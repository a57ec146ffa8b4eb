import type { FastifyRequest } from 'fastify'

/** The body of a 200 and its entity tag. */
export type Answer = { body: string; etag: string }

/** Runs the document of a route with these variables. */
export type ReadAnswer = (
  variables: Record<string, unknown>,
  request: FastifyRequest,
) => Promise<Answer>
