import { expect, test } from 'vitest'
import { routes } from './routes.ts'

test('each route that answers a prepared transaction lets the caller choose its parts', () => {
  const prepared = routes.filter(({ document }) => document.includes('...PreparedTransaction'))
  expect(prepared.length).toBeGreaterThan(0)
  const without = prepared.filter(({ restOnly = {} }) => !('responseFormat' in restOnly))
  expect(without.map(({ operationId }) => operationId)).toEqual([])
})
