import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCausewayClient } from '../createCausewayClient.ts'
import { readAgainLater } from './createHooks.ts'
import { transitOrderOptions } from './index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('behavior: what a flow changes is shown once the index has it, some seconds after the receipt', async () => {
  let status = 'PROCESSING'
  const causeway = createCausewayClient({
    url: 'http://api.test',
    fetch: async () => Response.json({ order: { status } }),
  })
  const client = new QueryClient()
  const shown = new QueryObserver(
    client,
    transitOrderOptions(causeway, { orderId: `0x${'11'.repeat(32)}` }),
  )
  const stop = shown.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(shown.getCurrentResult().data?.status).toBe('PROCESSING')
  readAgainLater(client, causeway, [transitOrderOptions])
  await vi.advanceTimersByTimeAsync(3_000)
  status = 'PROCESSED'
  expect(shown.getCurrentResult().data?.status).toBe('PROCESSING')
  await vi.advanceTimersByTimeAsync(4_000)
  expect(shown.getCurrentResult().data?.status).toBe('PROCESSED')
  stop()
})
