import { expect, test } from 'vitest'
import { errorSchemas } from './errorResponses.ts'

test('default: every error has details, so clients need no check', () => {
  expect(errorSchemas.ErrorBody).toMatchObject({
    required: ['code', 'message', 'status', 'details'],
  })
})
