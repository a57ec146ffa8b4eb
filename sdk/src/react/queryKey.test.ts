import { hashKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createCausewayClient } from '../createCausewayClient.ts'
import { transitOrdersOptions, transitStatsOptions } from '../generated/queryOptions.ts'

const causeway = createCausewayClient({ url: 'http://api.test/', apiKey: 'secret' })
const user = '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3'

test('default: the URL, the name and the parameters, as plain JSON', () => {
  const startTime = new Date(1_700_000_000_900)
  const params = { startTime, endTime: new Date(1_700_086_400_000) }
  const { queryKey } = transitStatsOptions(causeway, params)
  const written = { startTime: 1_700_000_000, endTime: 1_700_086_400 }
  expect(queryKey).toEqual(['causeway', 'http://api.test', 'transit.stats', written])
  expect(JSON.parse(JSON.stringify(queryKey))).toEqual(queryKey)
  expect(queryKey.slice(0, 3)).toEqual(transitStatsOptions.key(causeway))
})

test('behavior: equal requests have equal keys, others do not', () => {
  const hash = (filter: object, userAddress: string = user) =>
    // Both spellings of an address are taken.
    hashKey(
      transitOrdersOptions(causeway, { filter, userAddress: userAddress as typeof user }).queryKey,
    )
  const key = hash({ sourceChain: { not: 1 }, amount: { atLeast: 10n ** 30n } })
  expect(hash({ amount: { atLeast: 10n ** 30n }, sourceChain: { not: 1 } })).toBe(key)
  const filter = { sourceChain: { not: 1 }, amount: { atLeast: 10n ** 30n } }
  expect(hash(filter, user.toLowerCase())).toBe(key)
  expect(hash({ ...filter, amount: { atLeast: 10n ** 30n + 1n } })).not.toBe(key)
  expect(hash({ ...filter, status: undefined })).toBe(key)
})
