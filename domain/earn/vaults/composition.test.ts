import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { composition } from './composition.ts'
import type { VaultHolding } from './vaultHoldingsCache.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`

function holding(overrides: Partial<VaultHolding> = {}): VaultHolding {
  return {
    asset: address('a'),
    assetDecimals: 6,
    balance: 5n,
    hasRateSource: true,
    valueInBase: 5n,
    rateInQuote: 1_000_000n,
    withdrawFee: { bps: 0n, flat: 0n },
    ...overrides,
  }
}

const compositionOf = (holdings: VaultHolding[]) =>
  composition(holdings)?.map(({ asset, value, weight }) => [asset, value, weight])

describe('composition', () => {
  test('default: the most valuable first, then by address', () => {
    expect(
      compositionOf([
        holding({ asset: address('c'), valueInBase: 25n }),
        holding({ asset: address('b'), valueInBase: 25n }),
        holding({ asset: address('a'), valueInBase: 0n }),
        holding({ asset: address('d'), valueInBase: 50n }),
      ]),
    ).toEqual([
      [address('d'), 50n, '0.500000'],
      [address('b'), 25n, '0.250000'],
      [address('c'), 25n, '0.250000'],
      [address('a'), 0n, '0.000000'],
    ])
  })

  test('behavior: what the vault has none of, or nobody knows a rate of, is no part of it', () => {
    const nothing = holding({ asset: address('b'), balance: 0n, valueInBase: 0n })
    const unrated = { asset: address('c'), hasRateSource: false, valueInBase: null }
    expect(compositionOf([holding(), nothing, holding(unrated)])).toEqual([
      [address('a'), 5n, '1.000000'],
    ])
    expect(compositionOf([nothing])).toEqual([])
  })

  test('error: what cannot be valued now spoils it all, unless the vault has none of it', () => {
    const unread = holding({ asset: address('b'), valueInBase: null, rateInQuote: null })
    expect(composition([holding(), unread])).toBeNull()
    expect(compositionOf([holding(), { ...unread, balance: 0n }])).toEqual([
      [address('a'), 5n, '1.000000'],
    ])
  })

  test('behavior: of whatever a vault has the weights sum to exactly 1, in the order of values', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 96n })
    const any = fc.uniqueArray(
      fc.record({
        asset: fc.constantFrom(...'0123456789abcdef').map(address),
        balance: amount,
        valueInBase: amount,
        hasRateSource: fc.boolean(),
      }),
      { selector: ({ asset }) => asset },
    )
    fc.assert(
      fc.property(any, (holdings) => {
        const components = composition(holdings.map(holding)) ?? []
        const counted = holdings.filter((one) => one.balance > 0n && one.hasRateSource)
        expect(components.map(({ asset }) => asset).toSorted()).toEqual(
          counted.map(({ asset }) => asset).toSorted(),
        )
        const weights = components.map(({ weight }) => BigInt(weight.replace('.', '')))
        const sum = weights.reduce((all, weight) => all + weight, 0n)
        expect(sum).toBe(components.length > 0 ? 1_000_000n : 0n)
        components.slice(1).forEach(({ value }, index) => {
          expect((components[index]?.value ?? 0n) >= value).toBe(true)
        })
      }),
    )
  })
})
