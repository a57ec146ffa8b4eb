import { expect, test } from 'vitest'
import { clientCaps } from './clientCaps.ts'

const variables = {
  RATE_LIMITS: 'on',
  MAX_CONNECTIONS: 10_000,
  MAX_CONNECTIONS_PER_ADDRESS: 500,
  MAX_CONNECTIONS_PER_KEY: 2_000,
  MAX_HELD_PER_ADDRESS: 200,
  MAX_HELD_PER_KEY: 1_000,
} as const

test('default', () => {
  expect(clientCaps(variables)).toEqual({
    connectionsPerAddress: 500,
    connectionsPerKey: 2_000,
    heldPerAddress: 200,
    heldPerKey: 1_000,
  })
})

test('behavior: never more than a quarter of the connections', () => {
  expect(clientCaps({ ...variables, MAX_CONNECTIONS: 200 })).toMatchObject({
    connectionsPerAddress: 50,
    connectionsPerKey: 50,
  })
})

test('behavior: none where a gateway limits clients', () => {
  expect(clientCaps({ ...variables, RATE_LIMITS: 'off' })).toBeNull()
})
