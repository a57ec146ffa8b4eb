import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { invalidFields, type ServiceError } from '../../domain/error/serviceError.ts'
import { countedCache } from '../../domain/observation/countedCache.ts'
import { schema } from '../../schema/schema.ts'
import { documentLimitViolations, MAX_TOKENS, repeatViolations } from './documentLimits.ts'

export type PreparedOperation = {
  document: DocumentNode
  operationName: string | undefined
  operation: OperationDefinitionNode
  /** The operation and the fragments, without any others. */
  ownDocument: DocumentNode
}

/** Characters of query text. A parsed document takes about thirty times as much memory. */
export const CACHED_CHARACTERS = 1_000_000

const documents = countedCache<string, DocumentNode>('documents', {
  maxSize: CACHED_CHARACTERS,
  sizeCalculation: (_, text) => text.length,
})

function invalidDocument(descriptions: string[]): ServiceError {
  return invalidFields(
    descriptions.map((description) => ({ field: 'query', description })),
    'INVALID_GRAPHQL',
  )
}

function describe({ message, locations }: GraphQLError): string {
  const [at] = locations ?? []
  return at ? `${message} (line ${at.line}, column ${at.column})` : message
}

function parseDocument(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: MAX_TOKENS })
  } catch (error) {
    if (error instanceof GraphQLError) throw invalidDocument([describe(error)])
    throw error
  }
}

function validDocument(query: string): DocumentNode {
  const cached = documents.get(query)
  if (cached) return cached
  const document = parseDocument(query)
  const repeats = repeatViolations(document)
  if (repeats.length > 0) throw invalidDocument(repeats)
  const errors = validate(schema, document, undefined, { hideSuggestions: true })
  if (errors.length > 0) throw invalidDocument(errors.map(describe))
  const violations = documentLimitViolations(document)
  if (violations.length > 0) throw invalidDocument(violations)
  documents.set(query, document)
  return document
}

function withoutOtherOperations(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): DocumentNode {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  return { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] }
}

/** The document of a text that was prepared lately, and is not parsed again. */
export function preparedDocument(query: string): DocumentNode | undefined {
  return documents.get(query)
}

/**
 * Parses, validates and limits one operation: the only way to an executable document, for REST,
 * GraphQL and the stream. Throws one `INVALID_GRAPHQL` with all errors.
 */
export function prepareOperation(query: string, operationName?: string): PreparedOperation {
  if (query.trim() === '') throw invalidDocument(['expected a GraphQL document, got nothing'])
  const document = validDocument(query)
  const operation = getOperationAST(document, operationName)
  if (!operation)
    throw invalidFields(
      [
        {
          field: 'operationName',
          description: operationName
            ? `the document has no operation ${JSON.stringify(operationName)}`
            : 'the document has several operations or none; name the one to run',
        },
      ],
      'INVALID_GRAPHQL',
    )
  return {
    document,
    operationName,
    operation,
    ownDocument: withoutOtherOperations(document, operation),
  }
}
