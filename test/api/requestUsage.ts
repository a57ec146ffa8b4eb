import { beforeAll, describe, expect, test } from 'vitest'
import type { RequestStore } from '../../domain/usage/requestStore.ts'
import { testPageLaws } from '../support/pageLaws.ts'
import { type Account, type RequestReader, USAGE } from '../support/requestReader.ts'

const DAY_MS = 86_400_000
const HOUR = 3_600

/** Sums of the requests of keys by hour and day. */
export function testRequestUsage(
  { account, read, pagesOf }: RequestReader,
  store: () => RequestStore,
) {
  describe('usage', () => {
    let used: Account
    const midnight = Math.floor(Date.now() / DAY_MS) * 86_400 - 3 * 86_400
    const hours = new Map<string, number>()
    async function use(publicId: string, hour: number, requests: number) {
      const { organizationId } = used
      const sum = {
        organizationId,
        publicId,
        hour,
        requests,
        points: 2 * requests,
        refused: 1,
        invalid: 0,
        failed: 0,
      }
      await store().addSums([sum])
      const name = `${hour} ${publicId}`
      hours.set(name, (hours.get(name) ?? 0) + requests)
    }
    beforeAll(async () => {
      used = await account()
      for (let hour = 0; hour < 30; hour += 1)
        for (const publicId of ['a', 'b']) await use(publicId, midnight + hour * HOUR, hour + 1)
      await use('a', midnight, 10)
    })
    const range = { startTime: String(midnight), endTime: String(midnight + 2 * 86_400) }
    const list = (params: Record<string, string>) =>
      pagesOf(
        USAGE,
        () => used,
        params,
        ({ startTime, publicId }) => `${startTime} ${publicId}`,
      )

    let later = 0
    testPageLaws(() => ({
      fetch: list(range),
      matching: () => [...hours.keys()].toSorted(),
      insert: async () => {
        later += 1
        await use(`c${String(later).padStart(3, '0')}`, midnight + HOUR, 1)
        await use('d', midnight + (30 + later) * HOUR, 1)
      },
      others: {
        'a filter': list({ ...range, filter: 'publicId = a' }),
        'another interval': list({
          startTime: range.startTime,
          endTime: String(midnight + 40 * 86_400),
          interval: '86400',
        }),
      },
    }))

    test('behavior: days are the sums of their hours, and sums of several processes add up', async () => {
      const params = { ...range, interval: '86400', filter: 'publicId = a' }
      const { body } = await read(USAGE, used, params)
      expect(body.apiUsage).toMatchObject([
        {
          startTime: midnight,
          endTime: midnight + 86_400,
          requests: 310,
          points: 620,
          refused: 25,
        },
        { startTime: midnight + 86_400, requests: 25 + 26 + 27 + 28 + 29 + 30 },
      ])
    })
  })
}
