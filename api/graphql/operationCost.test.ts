import {
  type GraphQLField,
  getIntrospectionQuery,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { schema } from '../../schema/schema.ts'
import { sampleVariables } from '../../test/support/sampleVariables.ts'
import { routes } from '../rest/routes.ts'
import { operationCost } from './operationCost.ts'
import { prepareOperation } from './prepareOperation.ts'

function costOf(query: string, variables?: Record<string, unknown>) {
  return operationCost(prepareOperation(query), variables)?.requested ?? null
}

const ORDERS = 'query ($pageSize: Int!) { transitOrders(pageSize: $pageSize) { orders { id } } }'

describe('operationCost', () => {
  test('default', () => {
    const query = '{ transitOrders(pageSize: 10) { nextPageToken orders { id status user } } }'
    expect(operationCost(prepareOperation(query))).toEqual({ requested: 15, maximum: 10_000 })
  })

  test('behavior: variables count, and the default page', () => {
    expect(costOf(ORDERS, { pageSize: 1 })).toBe(6)
    expect(costOf(ORDERS, { pageSize: 100 })).toBe(105)
    expect(costOf('{ transitOrders { orders { id } } }')).toBe(30)
  })

  test('behavior: a page size that its list refuses costs no more than the largest', () => {
    expect(costOf(ORDERS, { pageSize: 2_000_000_000 })).toBe(105)
    expect(costOf(ORDERS, { pageSize: -5 })).toBe(6)
  })

  test('behavior: a filter of rows in the database costs as much as a long history, also in a variable', () => {
    const query =
      'query ($f: String) { transitOrders(pageSize: 1, filter: $f) { orders { id } } vaults(pageSize: 1, filter: $f) { nextPageToken } }'
    const least = 5 + 1 + 20
    expect(costOf(query)).toBe(least)
    expect(costOf(query, { f: '' })).toBe(least)
    expect(costOf(query, { f: 'status = REMOVED' })).toBe(50 + 1 + 20)
  })

  test('behavior: lists in rows multiply', () => {
    const assets = 'vaults(pageSize: 100) { vaults { deployments { assets { assetAddress } } } }'
    expect(costOf(`{ ${assets} }`)).toBe(20 + 100 * (1 + 1 + 3))
  })

  test('behavior: of several operations the one that is run counts', () => {
    const query = 'query small { __typename } query large { vaultTvls { nextPageToken } }'
    expect(operationCost(prepareOperation(query, 'large'))?.requested).toBe(50)
    expect(operationCost(prepareOperation(query, 'small'))?.requested).toBe(1)
  })

  test('behavior: fragments that double each other are counted in a moment', () => {
    const doubling = Array.from(
      { length: 100 },
      (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`,
    )
    const last = 'fragment f100 on Query { _meta { chains { chainId } } }'
    expect(() => costOf(`{ ...f0 } ${doubling.join(' ')} ${last}`)).toThrow('points')
  })

  test('behavior: the schema costs what is read of it', () => {
    const types = Object.values(schema.getTypeMap())
    expect(costOf('{ __schema { types { name kind } } }')).toBe(1 + 1 + types.length)
    expect(costOf(getIntrospectionQuery())).toBeGreaterThan(1_500)
    expect(costOf('{ __type(name: "Query") { name } }')).toBe(2)
    const one = 'query ($name: String!) { __type(name: $name) { fields { name } } }'
    expect(costOf(one, { name: 'Query' })).toBeGreaterThan(costOf(one, { name: 'Chain' }) ?? 0)
    const levels = 'fields { type { fields { type { name } } } args { type { name } } }'
    const deep = `{ __schema { types { possibleTypes { name } ${levels} } } }`
    expect(() => costOf(deep)).not.toThrow()
    const wide = `types { ${'abcdefghijklmnopqrstuvwxyz'
      .split('')
      .map((name) => `${name}: ${levels}`)
      .join(' ')} }`
    // In full it would cost several times as much: the count ends soon above the maximum.
    const cost = expect.stringMatching(/^10\d{3}$/)
    expect(() => costOf(`{ __schema { ${wide} } }`)).toThrow(
      expect.objectContaining({ metadata: { cost, maximum: '10000' } }),
    )
  })

  test('behavior: no cost where variables do not fit: nothing is run', () => {
    expect(costOf(ORDERS, { pageSize: 'many' })).toBeNull()
    expect(costOf(ORDERS)).toBeNull()
  })

  test('behavior: a subscription costs too', () => {
    const id = `0x${'1'.repeat(64)}`
    expect(costOf(`subscription { transitOrder(id: "${id}") { id } }`)).toBe(5)
  })

  test.each(routes.map((route) => [route.path, route] as const))(
    'behavior: %s is admitted with its largest page',
    (_, { document }) => {
      expect(
        costOf(document, { ...sampleVariables(document), pageSize: 100 }),
      ).toBeGreaterThanOrEqual(5)
    },
  )

  test('error: above the maximum, with both numbers', () => {
    const page =
      'vaults(pageSize: 100) { vaults { deployments { assets { depositFees { bps } } } } }'
    const query = `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: ${page}`).join(' ')} }`
    const expected = new ServiceError('OPERATION_TOO_COSTLY', 'any', {
      metadata: { cost: '17200', maximum: '10000' },
    })
    expect(() => costOf(query)).toThrow(
      expect.objectContaining({ reason: expected.reason, metadata: expected.metadata }),
    )
  })

  test('error: a null that one field alone would fail for', () => {
    const query = 'query ($n: Int) { transitOrders(pageSize: $n) { nextPageToken } }'
    expect(() => costOf(query, { n: null })).toThrow('must not be null')
  })
})

describe('the schema', () => {
  test('behavior: every root field names what it reads', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}))
    const free = fields.filter((field) => !(declaredCost(field).field >= 5))
    // The address book alone answers it.
    expect(free.map(({ name }) => name)).toEqual(['amplifySdkConfigs'])
  })

  test('behavior: every list of objects multiplies, but for the rows of a page', () => {
    const single: string[] = []
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || type.name.endsWith('Page') || !('getFields' in type))
        continue
      for (const field of Object.values(type.getFields())) {
        const bare = isNonNullType(field.type) ? field.type.ofType : field.type
        const isObjectList = isListType(bare) && isCompositeType(getNamedType(bare))
        if (isObjectList && typeof field.extensions.complexity === 'function')
          single.push(`${type}.${field.name}`)
      }
    }
    expect(single).toEqual([])
  })
})

/** The cost of a root field. The cost of a page is a function of its arguments. */
function declaredCost({ extensions: { complexity } }: GraphQLField<unknown, unknown>) {
  const cost = typeof complexity === 'function' ? complexity({ pageSize: 1 }, {}, {}) : complexity
  return cost as { field: number }
}
