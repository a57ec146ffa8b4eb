import { hash } from 'node:crypto'
import { getIntrospectionQuery } from 'graphql'
import { describe, expect, test } from 'vitest'
import { cacheSizes } from '../../domain/cache/countedCache.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { documentOfHash, noteMade, preparedDocument, prepareOperation } from './prepareOperation.ts'

const ID = `0x${'1'.repeat(64)}`

function refusal(query: string, operationName?: string): ServiceError {
  try {
    prepareOperation(query, operationName)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('expected a refusal')
}

describe('prepareOperation', () => {
  test('default', () => {
    expect(prepareOperation('{ _meta { chains { chainId } } }').operation.operation).toBe('query')
  })

  test('behavior: the same text is parsed once', () => {
    const query = `{ transitOrder(id: "${ID}") { id } }`
    expect(prepareOperation(query).document).toBe(prepareOperation(query).document)
  })

  test('behavior: a kept document is found by the hash of its text, and what is made of it takes the place of others', () => {
    const query = `{ transitOrder(id: "${ID}") { status } }`
    const { document } = prepareOperation(query)
    const size = () => cacheSizes().get('documents')?.size ?? 0
    const before = size()
    noteMade(document, 10_000)
    expect(size()).toBe(before + 10_000)
    expect(documentOfHash(hash('sha256', query))).toBe(document)
    for (let n = 0; n < 100; n += 1)
      noteMade(prepareOperation(`{ a${n}: __typename }`).document, 10_000)
    expect(size()).toBeLessThanOrEqual(1_000_000)
    expect(documentOfHash(hash('sha256', query))).toBeUndefined()
    expect(preparedDocument(query)).toBeUndefined()
  })

  test('behavior: picks the operation by its name', () => {
    const query = `query one { __typename } subscription two { transitOrder(id: "${ID}") { id } }`
    expect(prepareOperation(query, 'two').operation.operation).toBe('subscription')
  })

  test('behavior: the introspection query of tools passes', () => {
    expect(prepareOperation(getIntrospectionQuery()).operation.operation).toBe('query')
  })

  test.each([
    ['nothing', ''],
    ['no GraphQL', '{ _meta '],
    ['an unknown field', '{ nope }'],
    ['a malformed literal', '{ transitOrder(id: "0x12") { id } }'],
    ['no operation', 'fragment a on Query { __typename }'],
    ['two operations and no name', 'query a { __typename } query b { __typename }'],
    ['too many tokens', `{ ${'__typename '.repeat(2_001)} }`],
    [
      'too many aliases',
      `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
    ],
    [
      'too many aliases by fragments',
      `{ ...a ...b } fragment a on Query { ${aliases('a', 16)} } fragment b on Query { ${aliases('b', 16)} }`,
    ],
    ['objects that are selected too often', `{ ${'_meta { __typename } '.repeat(11)} }`],
    ['too deep', `{ __typename ${nested(13)} }`],
    ['fragments in a circle', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ])('error: %s', (_, query) => {
    expect(refusal(query).reason).toBe('INVALID_GRAPHQL')
  })

  test('error: an unknown operation name', () => {
    const [violation] = refusal('query a { __typename }', 'b').fieldViolations
    expect(violation?.field).toBe('operationName')
  })

  test('error: names everything wrong at once', () => {
    expect(refusal('{ one two _meta { three } }').fieldViolations).toHaveLength(3)
  })
})

function aliases(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, n) => `${prefix}${n}: __typename`).join(' ')
}

function nested(depth: number): string {
  const inner = 'type { ofType { '.repeat(depth / 2)
  return `__schema { types { fields { ${inner} name ${'} } '.repeat(depth / 2)} } } }`
}
