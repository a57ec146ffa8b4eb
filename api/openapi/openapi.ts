import { permissionOf } from '../../domain/access/permissions.ts'
import type { Reason } from '../../domain/error/reason.ts'
import { DEPRECATIONS } from '../../schema/deprecations.ts'
import { rootField } from '../../schema/rootField.ts'
import { schema } from '../../schema/schema.ts'
import { prepareOperation } from '../graphql/prepareOperation.ts'
import { type CsvList, csvListOf } from '../rest/csv/csvList.ts'
import { namesOf } from '../rest/csv/csvText.ts'
import type { JsonSchema } from '../rest/jsonSchema.ts'
import { hasEtag, type Route } from '../rest/route.ts'
import { routes } from '../rest/routes.ts'
import { COMMON_REASONS, errorResponses, errorSchemas, rateLimitHeaders } from './errorResponses.ts'
import { eventSchemas, webhooks } from './eventSchemas.ts'
import { withExamples } from './examples.ts'
import { graphqlPaths, graphqlSchemas } from './graphqlPaths.ts'
import { healthPaths, healthSchemas } from './healthPaths.ts'
import {
  IDEMPOTENCY_REASONS,
  IdempotentReplayed,
  idempotencyKeyParameter,
  replayedHeader,
} from './idempotencyKey.ts'
import { bodySchema, parameters } from './parameters.ts'
import { addComponent, selectionSchemas } from './selectionSchemas.ts'

/** The title, version and license of the API. */
export const INFO = {
  title: 'Causeway',
  version: '2.0',
  description: 'Stablecoin transit, vault earn and smart deposits, from one index.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

function header(description: string, type: 'string' | 'integer' = 'string') {
  return { description, schema: { type } }
}

const headers = {
  RequestId: header("The caller's `x-request-id`, or a generated one."),
  IndexedBlocks: header(
    'The indexed block of each chain that the answer was read at: `1=23001234,4663=99120`.',
  ),
  DegradedChains: header(
    'Chains of which rows are `stale`, or a row is missing because a contract or a price does not answer: `1,4663`.',
  ),
  ETag: header('The entity tag of the body.'),
  RetryAfter: header('Seconds after which to retry.', 'integer'),
  RateLimitLimit: header('The quota of this class of requests per window.', 'integer'),
  RateLimitRemaining: header(
    'The rest of the quota, approximately: several processes count.',
    'integer',
  ),
  RateLimitReset: header('Seconds until the quota is full again.', 'integer'),
  RateLimitPolicy: header('The quota and its window in seconds: `600;w=60`.'),
  IgnoredParameters: header(
    'The parameters of the query that this operation does not have, such as a key of its `filter`, separated by commas.',
  ),
  IdempotentReplayed,
  ContentDisposition: header('Only of CSV: a file name.'),
  NextPageToken: header(
    'Only of CSV, as a trailer after the body: `pageToken`, or `after`, of the rows that follow; empty where none do.',
  ),
}

const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }
const readHeaders = {
  ...requestId,
  'x-indexed-blocks': { $ref: '#/components/headers/IndexedBlocks' },
  'x-degraded-chains': { $ref: '#/components/headers/DegradedChains' },
  'x-ignored-parameters': { $ref: '#/components/headers/IgnoredParameters' },
  ...rateLimitHeaders,
}

const csvHeaders = {
  'content-disposition': { $ref: '#/components/headers/ContentDisposition' },
  'x-next-page-token': { $ref: '#/components/headers/NextPageToken' },
}

/** Not a second content of the answer: generated clients would then give every list as an object or a text. */
function csvExtension({ columns }: CsvList): JsonSchema {
  return {
    'x-csv': { mediaType: 'text/csv', maximumRows: 100_000, columns: columns.flatMap(namesOf) },
  }
}

const TAGS = [
  { name: 'Catalogue', description: 'Chains and tokens.' },
  { name: 'Transit', description: 'Routes, quotes and orders of swaps and cross-chain transfers.' },
  { name: 'Earn', description: 'Vaults, deposits, withdrawals, positions and smart deposits.' },
  { name: 'Webhooks', description: 'Endpoints, deliveries and the log of events.' },
  {
    name: 'Access',
    description: 'Members, API keys, their usage and requests, the log of changes.',
  },
  { name: 'Administration', description: "The operator's matters; they need `admin`." },
  { name: 'GraphQL', description: 'The same reads and preparations, and subscriptions.' },
  { name: 'Health', description: 'Whether the service and this process work.' },
]

function tagOf({ path }: Route): string {
  if (path.startsWith('/v2/webhooks') || path.startsWith('/v2/events')) return 'Webhooks'
  if (path.startsWith('/v1/access')) return 'Access'
  if (path.startsWith('/v1/admin')) return 'Administration'
  if (path.startsWith('/v1/core')) return 'Catalogue'
  return path.startsWith('/v1/transit') || path.startsWith('/v3/core') ? 'Transit' : 'Earn'
}

/** Without its full stop, as is usual in OpenAPI summaries. */
function firstSentence(text: string): string {
  return text.split(/\.(?:\s|$)/, 1)[0] ?? ''
}

/** The reference to a model, which becomes a component by this name if it is none yet. */
function named(name: string, schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  if ('$ref' in schema) return schema
  addComponent(schemas, name, schema)
  return { $ref: `#/components/schemas/${name}` }
}

type Models = { body: JsonSchema; schemas: Record<string, JsonSchema> }

function operation(route: Route, { body, schemas }: Models): JsonSchema {
  const model = `${route.operationId.charAt(0).toUpperCase()}${route.operationId.slice(1)}`
  const isTagged = hasEtag(route)
  const etag = isTagged && { etag: { $ref: '#/components/headers/ETag' } }
  const ifNoneMatch = {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of an earlier answer. An unchanged body is answered with 304.',
    schema: { type: 'string' },
  }
  const permission = permissionOf(route.field)
  const isOpen = permission === null
  const fields = bodySchema(route)
  const csv = csvListOf(route)
  const isChange = rootField(route.field).operation === 'mutation'
  const deprecation = DEPRECATIONS[`${isChange ? 'Mutation' : 'Query'}.${route.field}`]
  const reasons: Reason[] = [
    ...COMMON_REASONS,
    ...(isOpen ? [] : (['PERMISSION_DENIED'] as const)),
    ...(fields ? (['MALFORMED_JSON', 'UNSUPPORTED_CONTENT_TYPE'] as const) : []),
    ...(isChange ? IDEMPOTENCY_REASONS : []),
    ...route.errors,
  ]
  return {
    operationId: route.operationId,
    summary: firstSentence(route.description),
    description: route.description,
    ...(deprecation && {
      deprecated: true,
      'x-sunset': deprecation.until,
    }),
    // An operation that needs no key still checks a key that is sent.
    security: isOpen ? [{}, { apiKey: [] }] : [{ apiKey: [permission] }],
    tags: [tagOf(route)],
    parameters: [
      ...parameters(route),
      ...(isTagged ? [ifNoneMatch] : []),
      ...(isChange ? [idempotencyKeyParameter] : []),
    ],
    ...(fields && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: named(`${model}Request`, fields, schemas) } },
      },
    }),
    responses: {
      200: {
        description: 'OK',
        headers: {
          ...readHeaders,
          ...etag,
          ...(csv && csvHeaders),
          ...(isChange && replayedHeader),
        },
        content: { 'application/json': { schema: named(`${model}Response`, body, schemas) } },
        ...(csv && csvExtension(csv)),
      },
      ...(isTagged && {
        304: { description: 'Not modified.', headers: { ...readHeaders, ...etag } },
      }),
      ...errorResponses(route.notFound ? [...reasons, route.notFound] : reasons),
    },
  }
}

/**
 * The OpenAPI 3.1 description of all routes. Its sources are the routes, the GraphQL schema and
 * docs/examples.
 */
export function openapi(): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  const schemas: Record<string, JsonSchema> = {
    ...errorSchemas,
    ...eventSchemas,
    ...graphqlSchemas,
    ...healthSchemas,
  }
  for (const route of routes) {
    const { body, components } = selectionSchemas(
      schema,
      prepareOperation(route.document).document,
      route.optional,
    )
    for (const [name, component] of Object.entries(components))
      addComponent(schemas, name, component)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: withExamples(
        operation(route, { body, schemas }),
        route.operationId,
      ),
    }
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    externalDocs: { url: '/docs/quickstart', description: 'Guides.' },
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    tags: TAGS,
    paths: { ...paths, ...graphqlPaths, ...healthPaths },
    webhooks,
    components: {
      schemas,
      headers,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key. It needs the permissions that the operation lists.',
        },
      },
    },
  }
}
