import type { Reason } from '../../domain/error/reason.ts'
import { type JsonSchema, object } from '../rest/jsonSchema.ts'
import { COMMON_REASONS, errorResponses } from './errorResponses.ts'
import { IDEMPOTENCY_REASONS, idempotencyKeyParameter, replayedHeader } from './idempotencyKey.ts'

const text = { type: 'string' } as const

const request: JsonSchema = {
  type: 'object',
  required: ['query'],
  properties: {
    query: {
      ...text,
      description: 'A document that is valid for the schema at `/schema.graphql`.',
    },
    operationName: {
      type: ['string', 'null'],
      description: 'The operation to run, where the document has several.',
    },
    variables: { type: ['object', 'null'], additionalProperties: true },
    extensions: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'For example a persisted query.',
    },
  },
  additionalProperties: false,
}

/** An error in the form of GraphQL, with the same contents as in REST. */
const graphqlError = object({ message: text, extensions: { type: 'object' } })

const answer: JsonSchema = {
  type: 'object',
  description: '`data`, or `errors`, or both where a part failed.',
  properties: {
    data: { type: ['object', 'null'] },
    errors: { type: 'array', items: { $ref: '#/components/schemas/GraphqlError' } },
    extensions: { type: 'object' },
  },
}

/** A refused request has `errors`; refused before it reaches GraphQL, it also has the REST error. */
const refusal: JsonSchema = { ...answer, description: 'What was refused.', required: ['errors'] }

/** Components, so that generators name them. */
export const graphqlSchemas = {
  GraphqlRequest: request,
  GraphqlError: graphqlError,
  GraphqlAnswer: answer,
  GraphqlRefusal: refusal,
}
const named = (name: keyof typeof graphqlSchemas) => ({ $ref: `#/components/schemas/${name}` })

function responses(
  ok: JsonSchema,
  { reasons = [], headers }: { reasons?: Reason[]; headers?: JsonSchema } = {},
) {
  const refusals = errorResponses([
    ...COMMON_REASONS,
    ...(['INVALID_GRAPHQL', 'MALFORMED_JSON', 'UNSUPPORTED_CONTENT_TYPE'] as const),
    'SUBSCRIPTION_NEEDS_STREAM',
    ...reasons,
  ])
  return {
    200: {
      description: 'The answer, also where a part of it failed.',
      ...(headers && { headers }),
      content: ok,
    },
    ...Object.fromEntries(
      Object.entries(refusals).map(([code, response]) => [
        code,
        { ...response, content: { 'application/json': { schema: named('GraphqlRefusal') } } },
      ]),
    ),
  }
}

const example = { query: '{ _meta { chains { chainId lagSeconds isSynced } } }' }
const requestBody = {
  required: true,
  content: { 'application/json': { schema: named('GraphqlRequest'), example } },
}

/** Fields that need a permission need a key; the others check a key that is sent. */
const KEY_IF_NEEDED = [{}, { apiKey: [] }]

/** The two paths of GraphQL. */
export const graphqlPaths = {
  '/graphql': {
    post: {
      operationId: 'runGraphql',
      summary: 'Runs a GraphQL query or mutation',
      description:
        'Everything that REST reads, prepares or changes is a field here too. The schema is at `/schema.graphql`.',
      security: KEY_IF_NEEDED,
      tags: ['GraphQL'],
      parameters: [idempotencyKeyParameter],
      requestBody,
      responses: responses(
        { 'application/json': { schema: named('GraphqlAnswer') } },
        { reasons: IDEMPOTENCY_REASONS, headers: replayedHeader },
      ),
    },
  },
  '/graphql/stream': {
    post: {
      operationId: 'streamGraphql',
      summary: 'Runs a GraphQL subscription as server-sent events',
      description: 'An event for the state now, and one for each change.',
      security: KEY_IF_NEEDED,
      tags: ['GraphQL'],
      requestBody: {
        ...requestBody,
        content: {
          'application/json': {
            schema: named('GraphqlRequest'),
            example: {
              query: 'subscription ($id: Hash!) { transitOrder(id: $id) { id status } }',
              variables: { id: `0x${'11'.repeat(32)}` },
            },
          },
        },
      },
      responses: responses({
        'text/event-stream': {
          schema: {
            ...text,
            description: '`event: next` with each answer, `event: complete` at the end.',
          },
        },
      }),
    },
  },
}
