import { object } from '../rest/jsonSchema.ts'
import { errorResponses } from './errorResponses.ts'

const check = object(
  {
    status: {
      type: 'string',
      enum: ['up', 'slow', 'down'],
      description:
        '`slow`: the nodes of a chain answer late. `down`, for nodes: three questions in a row had no answer.',
    },
    latencyMs: {
      type: 'integer',
      description: 'Of nodes: how long the last answer took, or for how long there is none.',
    },
  },
  ['latencyMs'],
)
const checks = {
  type: 'object',
  additionalProperties: { $ref: '#/components/schemas/HealthCheck' },
}
const health = object({
  status: {
    type: 'string',
    enum: ['ok', 'error'],
    description: '`ok` if no check is `down`.',
  },
  info: { ...checks, description: 'The checks that are not `down`.' },
  error: {
    type: 'object',
    description:
      "The checks that failed, by name. On a 503 also the error's code, message and status.",
    properties: {
      code: { type: 'integer' },
      message: { type: 'string' },
      status: { type: 'string' },
    },
  },
  details: { ...checks, description: 'All checks.' },
})
const ready = object({ status: { const: 'ok' } })

/** Components, so that generators name them. */
export const healthSchemas = { Health: health, HealthCheck: check, Readiness: ready }
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } }

const malformed = errorResponses(['MALFORMED_REQUEST', 'REQUEST_TOO_LARGE'])

/** `/health` and `/ready`, which are not made from GraphQL. */
export const healthPaths = {
  '/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Whether the service can answer',
      description:
        'The database, the index of each chain, its keeper of smart deposits and its nodes. No key, no quota.',
      tags: ['Health'],
      security: [],
      responses: {
        200: { description: 'The service can answer. A check that is down is named.', content },
        503: { description: 'The database is down, or no chain is current.', content },
        ...malformed,
      },
    },
  },
  '/ready': {
    get: {
      operationId: 'getReady',
      summary: 'Whether this process takes requests',
      description:
        'For load balancers. With `maxLagSeconds` it is also a 503 while the index lacks more of a chain. No key, no quota.',
      tags: ['Health'],
      security: [],
      parameters: [
        {
          name: 'maxLagSeconds',
          in: 'query',
          required: false,
          description:
            'The age, in seconds, of what the index may lack of a chain. Left out: any age.',
          schema: { type: 'integer', minimum: 0, maximum: 9_999_999 },
        },
        {
          name: 'chainIds',
          in: 'query',
          required: false,
          description: 'The chains that must be so fresh. Left out: all that are indexed.',
          style: 'form',
          explode: false,
          schema: { type: 'array', items: { type: 'integer' }, minItems: 1 },
        },
      ],
      responses: {
        200: {
          description: 'Ready.',
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Readiness' } },
          },
        },
        ...errorResponses([
          'STARTING',
          'SHUTTING_DOWN',
          'UNHEALTHY',
          'DATABASE_UNAVAILABLE',
          'INVALID_FIELD',
          'MALFORMED_REQUEST',
          'REQUEST_TOO_LARGE',
        ]),
      },
    },
  },
}
