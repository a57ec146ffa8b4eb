import type { FastifyRequest } from 'fastify'
import type { GivenRoot } from '../../schema/builder.ts'

/** The body of a 200 and its entity tag. */
export type Answer = { body: string; etag: string }

/** Runs the document of a route with these variables. `root` has what was read already. */
export type ReadAnswer = (
  variables: Record<string, unknown>,
  request: FastifyRequest,
  root?: GivenRoot,
) => Promise<Answer>
