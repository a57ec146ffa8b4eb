import { expect, test } from 'vitest'
import { createConnection } from '../connection/connection.ts'
import { type WaitForWithdrawalOptions, waitForWithdrawal } from './waitForWithdrawal.ts'

type Until = NonNullable<WaitForWithdrawalOptions['until']>

/** Waits for a request whose first status to be seen is this one, and which stays so. */
function waitFor(until: Until | undefined, status: string, signal?: AbortSignal) {
  const connection = createConnection({
    url: 'http://api.test',
    fetch: async () => new Response(JSON.stringify({ withdrawalRequest: { id: '1', status } })),
  })
  const options: WaitForWithdrawalOptions = { signal, transports: ['poll'] }
  return waitForWithdrawal(connection, '1', until ? { ...options, until } : options)
}

test.each([
  [undefined, 'COMPLETE'],
  ['PENDING', 'PENDING'],
  ['PENDING', 'COMPLETE'],
  ['PENDING_REFUND', 'PENDING_REFUND'],
  ['PENDING_REFUND', 'REFUNDED'],
  ['REFUNDED', 'REFUNDED'],
] as const)('default: %s is reached by %s', async (until, status) => {
  expect(await waitFor(until, status)).toMatchObject({ status })
})

test.each([
  [undefined, 'REFUNDED'],
  ['PENDING_REFUND', 'COMPLETE'],
  ['REFUNDED', 'COMPLETE'],
] as const)('error: %s can no longer come after %s', async (until, status) => {
  await expect(waitFor(until, status)).rejects.toMatchObject({
    reason: 'ENDED_OTHERWISE',
    metadata: { status },
  })
})

test.each([
  ['COMPLETE', 'PENDING_REFUND'],
  ['PENDING_REFUND', 'PENDING'],
] as const)('behavior: %s is awaited while it is %s', async (until, status) => {
  const waiting = waitFor(until, status, AbortSignal.timeout(100))
  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
})
