import { createConnection, startWebhookReplay } from '@causeway/sdk'
import { expect, test } from 'vitest'
import { replayStart } from './replayStart.ts'

/** The body of the request that starts a replay. */
async function sentFor(period: string): Promise<Record<string, unknown>> {
  let sent = ''
  const connection = createConnection({
    url: 'http://api.test',
    fetch: async (_, init) => {
      sent = String(init?.body)
      return Response.json({ replay: {} })
    },
  })
  await startWebhookReplay(connection, { endpointId: 'e', startTime: replayStart(period) })
  return JSON.parse(sent)
}

test('default: the events of the last hour', async () => {
  const { startTime } = await sentFor('3600')
  expect(Math.abs(Date.now() / 1_000 - 3_600 - Number(startTime))).toBeLessThan(60)
})

test('behavior: from the beginning on, also when the first events are no longer kept', async () => {
  expect(await sentFor('')).toEqual({ startTime: 0 })
})
