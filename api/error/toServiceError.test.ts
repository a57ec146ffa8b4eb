import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { toServiceError } from './toServiceError.ts'

function failure(code: string, name = 'Error'): Error {
  return Object.assign(new Error(`internals of ${code}`), { code, name })
}

describe('toServiceError', () => {
  test('default', () => {
    const error = new ServiceError('ORDER_NOT_FOUND', 'No such order')
    expect(toServiceError(error)).toBe(error)
  })

  test('behavior: looks into what graphql wrapped', () => {
    const error = new ServiceError('NOT_YET_INDEXED', 'Soon')
    const wrapped = new GraphQLError('outer', {
      originalError: new GraphQLError('inner', { originalError: error }),
    })
    expect(toServiceError(wrapped)).toBe(error)
  })

  test.each([
    ['ECONNREFUSED', 'Error'],
    ['CONNECTION_CLOSED', 'Error'],
    ['CONNECT_TIMEOUT', 'Error'],
    ['57P01', 'PostgresError'],
    ['57014', 'PostgresError'],
    ['53300', 'PostgresError'],
    ['08006', 'PostgresError'],
    ['40P01', 'PostgresError'],
  ])('behavior: %s of %s is the database being down', (code, name) => {
    expect(toServiceError(failure(code, name)).reason).toBe('DATABASE_UNAVAILABLE')
  })

  test('behavior: a view of the index that does not exist yet is the index catching up', () => {
    const missing = Object.assign(new Error('relation "read.chain_progress" does not exist'), {
      code: '42P01',
    })
    expect(toServiceError(missing).reason).toBe('INDEX_CATCHING_UP')
  })

  test.each([
    new Error('password=hunter2'),
    failure('42P01', 'PostgresError'),
    new GraphQLError('Cannot return null for non-nullable field'),
    'a string',
    undefined,
    null,
  ])('behavior: masks everything else: %s', (thrown) => {
    const error = toServiceError(thrown)
    expect(error.reason).toBe('UNEXPECTED')
    expect(error.message).toBe('An internal error. It is logged.')
    expect(error.cause ?? thrown).toBe(thrown)
  })
})
