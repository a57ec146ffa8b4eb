import type { Sql } from 'postgres'
import { describe, expect, test } from 'vitest'
import type { RequestStore } from '../../domain/usage/requestStore.ts'
import type { Account, RequestReader } from '../support/requestReader.ts'

const DAY_MS = 86_400_000

/** How long the request log and the sums are kept. */
export function testForgottenRequests(
  { account, logged, insertRequests }: RequestReader,
  { sql, store }: { sql: () => Sql; store: () => RequestStore },
) {
  describe('what is forgotten', () => {
    const stored = async ({ organizationId }: Account) => {
      const rows = await sql()<{ requestId: string }[]>`
        select request_id as "requestId" from app.request_log
        where organization_id = ${organizationId} and route = '/v1/x' order by at`
      return rows.map(({ requestId }) => requestId)
    }

    test('default: requests after seven days, unseen at once and deleted by the day', async () => {
      const acme = await account()
      const now = Date.now()
      await sql()`truncate app.request_log`
      await insertRequests(acme, [
        // The first of the slot of today, which has old rows too, because no api ran for nine days.
        { at: now, name: 'now' },
        { at: now - 9 * DAY_MS, name: 'nine days' },
        { at: now - 8 * DAY_MS, name: 'eight days' },
        { at: now - 7 * DAY_MS - 1_000, name: 'seven days' },
        { at: now - 7 * DAY_MS + 60_000, name: 'not yet' },
      ])
      expect((await logged(acme)).map(({ requestId }) => requestId)).toEqual(['now', 'not yet'])
      await store().forgetOld()
      const left = await stored(acme)
      expect(left.slice(-2)).toEqual(['not yet', 'now'])
      expect(left).not.toContain('nine days')
      expect(left).not.toContain('eight days')
    })

    test('behavior: a reader that holds a slot, such as a backup, only delays it', async () => {
      const acme = await account()
      await insertRequests(acme, [{ at: Date.now() - 8 * DAY_MS, name: 'old' }])
      await sql().begin(async (reader) => {
        await reader`select 1 from app.request_log limit 1`
        await expect(store().forgetOld()).rejects.toMatchObject({ code: '55P03' })
      })
      expect(await stored(acme)).toEqual(['old'])
      await store().forgetOld()
      expect(await stored(acme)).toEqual([])
    })

    test('behavior: sums after ninety days', async () => {
      const { organizationId } = await account()
      const counts = { requests: 1, points: 1, refused: 0, invalid: 0, failed: 0 }
      const today = Math.floor(Date.now() / 1_000)
      await store().addSums(
        [91, 89].map((days) => {
          return { ...counts, organizationId, publicId: `${days}`, hour: today - days * 86_400 }
        }),
      )
      await store().forgetOld()
      const rows = await sql()`
        select public_id as days from app.api_usage where organization_id = ${organizationId}`
      expect(rows).toEqual([{ days: '89' }])
    })
  })
}
