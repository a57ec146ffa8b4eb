import { hash } from 'node:crypto'
import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { countedCache } from '../../domain/cache/countedCache.ts'
import { invalidFields, type ServiceError } from '../../domain/error/serviceError.ts'
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
const CACHED_CHARACTERS = 1_000_000

const documents = countedCache<string, DocumentNode>('documents', {
  maxSize: CACHED_CHARACTERS,
  sizeCalculation: (document, text) => text.length + (madeOf.get(document) ?? 0),
  dispose: (_, text) => byHash.delete(hashOf(text)),
})
/** The same documents, as Apollo knows them. */
const byHash = new Map<string, DocumentNode>()
/** The size of what was made of a document, as a number of characters. */
const madeOf = new WeakMap<DocumentNode, number>()

function hashOf(text: string): string {
  return hash('sha256', text)
}

function keepDocument(text: string, document: DocumentNode) {
  documents.set(text, document)
  byHash.set(hashOf(text), document)
}

/** Counts what was made of a document, and lives as long as it, in the bound of the cache. */
export function noteMade(document: DocumentNode, characters: number): void {
  const text = document.loc?.source.body ?? ''
  madeOf.set(document, characters)
  // The cache takes no other size for the same value.
  if (documents.peek(text) === document && documents.delete(text)) keepDocument(text, document)
}

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
  keepDocument(query, document)
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

/** The same by the SHA-256 of its text, in hexadecimal digits. */
export function documentOfHash(hash: string): DocumentNode | undefined {
  return byHash.get(hash)
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
