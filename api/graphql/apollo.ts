import {
  ApolloServer,
  type ApolloServerOptions,
  type ApolloServerPlugin,
  HeaderMap,
  type HTTPGraphQLRequest,
} from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FormattedExecutionResult } from 'graphql'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { schema } from '../../schema/schema.ts'
import { graphqlErrors } from '../error/graphqlErrors.ts'
import { setFreshness } from '../http/setFreshness.ts'
import { chargeDocument } from './chargeOperation.ts'
import { MAX_TOKENS } from './documentLimits.ts'
import { failureReport } from './formatResult.ts'
import { graphqlAnswer, textOf } from './graphqlAnswer.ts'
import { documentOfHash } from './prepareOperation.ts'
import { refuseUnknownFields } from './refuseUnknownFields.ts'

/** Statuses of Apollo that this API answers as 400. */
const APOLLO_REFUSES = new Set([405, 406, 413, 415])

/** Apollo copies the context of each operation, so what is set of it stands in an object. */
type ApolloContext = { request: FastifyRequest; progress: { isRun: boolean } }

/** Apollo handles HTTP, persisted queries and CSRF. Operations run as they do for REST and the stream. */
const runByGraphqlAnswer: ApolloServerPlugin<ApolloContext> = {
  async requestDidStart() {
    return {
      async responseForOperation({ source, request: { operationName, variables }, contextValue }) {
        const { request, progress } = contextValue
        progress.isRun = true
        const query = { query: source, operationName, variables }
        const { code, headers, result } = await graphqlAnswer(query, request)
        return {
          http: { status: code, headers: new HeaderMap(Object.entries(headers)) },
          body: { kind: 'single', singleResult: result },
        }
      },
    }
  },
}

/** Hands Apollo the documents that prepareOperation keeps, so that it parses none of them again. */
const documentStore: NonNullable<ApolloServerOptions<ApolloContext>['documentStore']> = {
  // Before the hash of the text is one of the schema.
  get: async (key) => documentOfHash(key.slice(key.indexOf(':') + 1)),
  set: async () => {},
  delete: async () => {},
}

function createApolloServer(): ApolloServer<ApolloContext> {
  return new ApolloServer<ApolloContext>({
    schema,
    introspection: true,
    documentStore,
    // prepareOperation validates.
    dangerouslyDisableValidation: true,
    parseOptions: { maxTokens: MAX_TOKENS },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    plugins: [
      runByGraphqlAnswer,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  })
}

/** A refusal of Apollo itself, in the form of all errors, and with Apollo's message. */
function describeRefusal(body: string, request: FastifyRequest): string {
  const { errors = [] }: FormattedExecutionResult = JSON.parse(body)
  const described = errors.flatMap(({ message }) => {
    const refusal = invalidFields([{ field: 'query', description: message }], 'INVALID_GRAPHQL')
    return graphqlErrors([refusal], failureReport(request)).map((error) => ({ ...error, message }))
  })
  return JSON.stringify({ errors: described })
}

function apolloRequest({ method, headers, body, url }: FastifyRequest): HTTPGraphQLRequest {
  const map = new HeaderMap()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, [value].flat().join(', '))
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  return { method, headers: map, body, search }
}

/** Serves GraphQL over HTTP at `/graphql`: POST, and GET for persisted queries. */
export async function serveGraphql(app: FastifyInstance): Promise<void> {
  const apollo = createApolloServer()
  await apollo.start()
  app.addHook('onClose', () => apollo.stop())
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    config: { limitClass: 'graphql' },
    preHandler: refuseUnknownFields,
    handler: async (request, reply) => {
      // Apollo parses every new text, also one that it refuses then.
      await chargeDocument(request, textOf(request))
      const progress = { isRun: false }
      const { status, headers, body } = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: apolloRequest(request),
        context: async () => ({ request, progress }),
      })
      if (body.kind !== 'complete') throw new Error('Invariant(graphql): an incremental answer')
      for (const [name, value] of headers) reply.header(name, value)
      setFreshness(reply, request)
      reply.header('cache-control', 'no-store')
      reply.code(APOLLO_REFUSES.has(status ?? 200) ? 400 : (status ?? 200))
      return progress.isRun ? body.string : describeRefusal(body.string, request)
    },
  })
}
