import { expect, test } from 'vitest'
import { checkRetention } from './checkRetention.ts'

test.each([
  [{}],
  [{ DELIVERY_RETENTION_DAYS: '90' }],
  [{ EVENT_RETENTION_DAYS: '0', DELIVERY_RETENTION_DAYS: '0', ATTEMPT_RETENTION_DAYS: '0' }],
  [{ EVENT_RETENTION_DAYS: 'x' }],
])('default: %j is right, or the business of another check', async (source) => {
  await expect(checkRetention(source)).resolves.toBeUndefined()
})

test.each([
  [{ EVENT_RETENTION_DAYS: '20' }, 'DELIVERY_RETENTION_DAYS'],
  [{ DELIVERY_RETENTION_DAYS: '0' }, 'DELIVERY_RETENTION_DAYS'],
  [{ ATTEMPT_RETENTION_DAYS: '31' }, 'ATTEMPT_RETENTION_DAYS'],
])('error: %j outlives what it belongs to', async (source, name) => {
  await expect(checkRetention(source)).rejects.toMatchObject({
    problems: [expect.stringMatching(new RegExp(`^${name}: is longer`))],
  })
})
