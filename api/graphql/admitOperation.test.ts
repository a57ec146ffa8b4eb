import { expect, test } from 'vitest'
import type { AppContext } from '../../domain/appContext.ts'
import type { LostChain } from '../../domain/context.ts'
import { admitOperation, executeOperation } from './admitOperation.ts'
import { prepareOperation } from './prepareOperation.ts'

/** Runs an operation that reads only the schema, so the context is never used. */
function run(query: string, variables?: Record<string, unknown>) {
  const context = { lostChains: [] as LostChain[] } as AppContext
  return executeOperation(admitOperation(prepareOperation(query), { variables, context }))
}

test('behavior: a query of the schema with variables answers by their values', async () => {
  const query = 'query ($name: String!) { __type(name: $name) { name } }'
  expect((await run(query, { name: 'Query' })).data?.__type).toEqual({ name: 'Query' })
  expect((await run(query, { name: 'Mutation' })).data?.__type).toEqual({ name: 'Mutation' })
})
