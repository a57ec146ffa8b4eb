import { COMMON_REASONS, errorResponses } from './errorResponses.ts'
import type { JsonSchema } from './jsonSchema.ts'

const text = { type: 'string' } as const

const request: JsonSchema = {
  type: 'object',
  required: ['query'],
  properties: {
    query: { ...text, description: 'A document of schema/schema.graphql.' },
    operationName: { type: ['string', 'null'], description: 'Which operation of several to run.' },
    variables: { type: ['object', 'null'], additionalProperties: true },
  },
}

/** Errors in the form that GraphQL clients read; the same as the envelope says. */
const graphqlErrors: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['message', 'extensions'],
    properties: { message: text, extensions: { type: 'object' } },
  },
}

const answer: JsonSchema = {
  type: 'object',
  anyOf: [{ required: ['data'] }, { required: ['errors'] }],
  properties: {
    data: { type: ['object', 'null'] },
    errors: graphqlErrors,
    extensions: { type: 'object' },
  },
}

/** A refusal of GraphQL has `errors`; one from before GraphQL was reached the envelope beside them. */
const refusal: JsonSchema = { ...answer, required: ['errors'] }

function responses(ok: JsonSchema) {
  const refusals = errorResponses([
    ...COMMON_REASONS,
    ...(['INVALID_GRAPHQL', 'MALFORMED_JSON', 'UNSUPPORTED_CONTENT_TYPE'] as const),
    'SUBSCRIPTION_NEEDS_STREAM',
  ])
  return {
    200: { description: 'Also where a part of the answer failed.', content: ok },
    ...Object.fromEntries(
      Object.entries(refusals).map(([code, response]) => [
        code,
        { ...response, content: { 'application/json': { schema: refusal } } },
      ]),
    ),
  }
}

const example = { query: '{ _meta { chains { chainId lagSeconds isSynced } } }' }
const requestBody = {
  required: true,
  content: { 'application/json': { schema: request, example } },
}

/** The two doors of GraphQL. */
export const graphqlPaths = {
  '/graphql': {
    post: {
      operationId: 'runGraphql',
      summary: 'Runs a GraphQL query; everything that REST answers is one',
      tags: ['GraphQL'],
      requestBody,
      responses: responses({ 'application/json': { schema: answer } }),
    },
  },
  '/graphql/stream': {
    post: {
      operationId: 'streamGraphql',
      summary: 'Runs a GraphQL subscription as server-sent events',
      tags: ['GraphQL'],
      requestBody: {
        ...requestBody,
        content: {
          'application/json': {
            schema: request,
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
            description: '`event: next` with an answer each; `complete` at the end.',
          },
        },
      }),
    },
  },
}
