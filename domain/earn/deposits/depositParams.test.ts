import { expect, test } from 'vitest'
import { routes } from '../../../api/rest/routes.ts'
import { depositViolations } from './depositParams.ts'

test.each([-1, 10_001, 0.5])('error: slippageBps %j', (slippageBps) => {
  expect(depositViolations({ slippageBps })).toEqual([
    { field: 'slippageBps', description: 'expected an integer from 0 to 10000' },
  ])
})

test.each([undefined, 0, 10_000])('behavior: accepts slippageBps %j', (slippageBps) => {
  expect(depositViolations(slippageBps === undefined ? {} : { slippageBps })).toEqual([])
})

test('behavior: REST has the parameter', () => {
  const deposit = routes.find(({ operationId }) => operationId === 'deposit')
  const parameter = deposit?.parameters.find(({ name }) => name === 'slippageBps')
  expect(parameter).toMatchObject({ in: 'query', schema: { type: 'integer', maximum: 10_000 } })
  expect(deposit?.document).toContain('slippageBps: $slippageBps')
})
