import { expect, test } from 'vitest'
import { matchesFilter } from '../../domain/filter/matchesFilter.ts'
import { parseFilter } from '../../domain/filter/parseFilter.ts'
import { drawFilter } from './drawnFilters.ts'
import { seededRandom } from './seededRandom.ts'

const VAULTS = ['0xA5Cd860776d8803C9CcEb805E2Af1c2beAc3a0DA', `0x${'0b'.repeat(20)}`] as const
const KEYS = {
  vaultAddress: { type: 'address' },
  chainId: { type: 'integer' },
  status: { type: 'string' },
} as const

test('default: a random filter is valid, and passes the rows that match', () => {
  const random = seededRandom(7)
  const rows = VAULTS.flatMap((vaultAddress) =>
    [1, 999].flatMap((chainId) =>
      ['PENDING', 'COMPLETE'].map((status) => ({ vaultAddress, chainId, status })),
    ),
  )
  const texts = new Set<string>()
  for (let drawn = 0; drawn < 300; drawn += 1) {
    const { text, matches } = drawFilter(random, {
      vaultAddress: [VAULTS[0], VAULTS[0].toLowerCase(), VAULTS[1]],
      chainId: ['1', '999'],
      status: ['PENDING', 'COMPLETE', 'REFUNDED'],
    })
    texts.add(text)
    const filter = parseFilter(text, KEYS)
    for (const row of rows) {
      // The service stores values in this form.
      const kept = { ...row, vaultAddress: row.vaultAddress.toLowerCase() }
      const isLet = filter === null || matchesFilter(filter, kept)
      expect([text, matches(row)]).toEqual([text, isLet])
    }
  }
  expect(texts.size).toBeGreaterThan(100)
})
