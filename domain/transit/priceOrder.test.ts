import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { owedByStation } from '../../test/support/owedByStation.ts'
import {
  fitsStation,
  inUsd,
  leastOffer,
  maxIntegratorFee,
  maxProtocolFee,
  minOfferAmount,
  type OrderPricing,
  priceOrder,
} from './priceOrder.ts'

const decimals = fc.integer({ min: 0, max: 24 })
const pricings = fc.record<OrderPricing>({
  conversionRateHundredthsBps: fc.integer({ min: 0, max: 4_999 }),
  fillCostFee: fc.bigInt({ min: 0n, max: 10n ** 26n }),
  offerDecimals: decimals,
  wantDecimals: decimals,
})
const amounts = fc.bigInt({ min: 1n, max: 10n ** 40n })

describe('priceOrder', () => {
  test('default: 1,000 USDC at 5 bps and an execution of 0.39 USDC', () => {
    const pricing = {
      conversionRateHundredthsBps: 500,
      fillCostFee: 390_000n,
      offerDecimals: 6,
      wantDecimals: 18,
    }
    expect(priceOrder(1_000_000_000n, pricing, 1_000_000n)).toEqual({
      offerAmount: 1_000_000_000n,
      conversionRateFee: 500_000n,
      fillCostFee: 390_000n,
      protocolFee: 890_000n,
      integratorFee: 1_000_000n,
      totalFees: 1_890_000n,
      net: 998_110_000n,
      netNormalized18: 998_110_000n * 10n ** 12n,
      amountOut: 998_110_000n * 10n ** 12n,
    })
  })

  test.each([
    [1n, 500, 1n],
    [2_000n, 500, 1n],
    [2_001n, 500, 2n],
    [1_999_999n, 0, 0n],
    [10n ** 6n, 4_999, 4_999n],
    [10n ** 6n + 1n, 4_999, 5_000n],
  ])('behavior: of %i at %i hundredths of a bp the conversion costs %i', (offer, rate, fee) => {
    const pricing = { fillCostFee: 0n, offerDecimals: 6, wantDecimals: 6 }
    const price = priceOrder(offer, { ...pricing, conversionRateHundredthsBps: rate }, 0n)
    expect(price.conversionRateFee).toBe(fee)
  })

  test('behavior: whatever is priced, nothing is lost or negative, and it owes what the station will', () => {
    fc.assert(
      fc.property(amounts, pricings, fc.nat(1_000), (offer, pricing, integratorBps) => {
        const integratorFee = (offer * BigInt(integratorBps)) / 10_000n
        const price = priceOrder(offer, pricing, integratorFee)
        fc.pre(price.totalFees < offer)
        expect(price.totalFees + price.net).toBe(offer)
        expect(price.protocolFee + price.integratorFee).toBe(price.totalFees)
        expect(price.conversionRateFee + price.fillCostFee).toBe(price.protocolFee)
        expect(Object.values(price).every((amount) => amount >= 0n)).toBe(true)
        expect(price.amountOut).toBe(
          owedByStation(price.net, BigInt(pricing.offerDecimals), BigInt(pricing.wantDecimals)),
        )
        const lost = 10n ** BigInt(Math.max(0, pricing.offerDecimals - pricing.wantDecimals))
        const back = owedByStation(price.amountOut, BigInt(pricing.wantDecimals), 18n)
        expect(owedByStation(price.net, BigInt(pricing.offerDecimals), 18n) - back).toBeLessThan(
          owedByStation(lost, BigInt(pricing.offerDecimals), 18n) + 1n,
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test('behavior: fees above the offer leave nothing, not less', () => {
    const pricing = { conversionRateHundredthsBps: 500, offerDecimals: 6, wantDecimals: 6 }
    expect(priceOrder(5n, { ...pricing, fillCostFee: 9n }, 0n)).toMatchObject({
      net: 0n,
      amountOut: 0n,
    })
  })
})

describe('leastOffer', () => {
  test.each([
    ['6 to 6 decimals, no fees', 6, 6, 0, 0n, 1_000_000n, 1_000_000n],
    ['a fee of 5 bps, rounded up', 6, 6, 500, 0n, 1_000_000n, 1_000_501n],
    ['with an execution of 0.39', 6, 6, 500, 390_000n, 998_610_250n, 999_500_000n],
    ['18 to 6 decimals: what the cut loses is not paid', 18, 6, 0, 0n, 1n, 10n ** 12n],
    ['6 to 18 decimals: the next whole unit', 6, 18, 0, 0n, 10n ** 12n + 1n, 2n],
  ])('default: %s', (_, offerDecimals, wantDecimals, rate, fillCostFee, want, offer) => {
    const pricing = { offerDecimals, wantDecimals, fillCostFee, conversionRateHundredthsBps: rate }
    expect(leastOffer(want, pricing, 0n)).toBe(offer)
  })

  test('behavior: the receiver gets what is wanted, and not with one unit less of the offer', () => {
    const fees = fc.bigInt({ min: 0n, max: 10n ** 30n })
    fc.assert(
      fc.property(amounts, pricings, fees, (want, pricing, integratorFee) => {
        const offer = leastOffer(want, pricing, integratorFee)
        const owed = (offered: bigint) => {
          const rate = BigInt(pricing.conversionRateHundredthsBps)
          const conversion = (offered * rate) / 1_000_000n
          const fee = conversion * 1_000_000n < offered * rate ? conversion + 1n : conversion
          const net = offered - fee - pricing.fillCostFee - integratorFee
          const decimals = [BigInt(pricing.offerDecimals), BigInt(pricing.wantDecimals)] as const
          return net < 0n ? 0n : owedByStation(net, ...decimals)
        }
        expect(owed(offer) >= want).toBe(true)
        expect(owed(offer - 1n) < want).toBe(true)
        expect(priceOrder(offer, pricing, integratorFee).amountOut).toBe(owed(offer))
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('inUsd', () => {
  test.each([
    [5_000_000n, 100_000_000n, '5.00'],
    [4_995_000n, 100_000_000n, '5.00'],
    [4_994_999n, 100_000_000n, '4.99'],
    [1_500_000_000n, 99_980_000n, '1499.70'],
    [1n, 100_000_000n, '0.00'],
  ])('default: %i base units of 6 decimals at %i are %s', (amount, answer, usd) => {
    const price = { offerUsd: { answer, decimals: 8 }, offerDecimals: 6 }
    expect(inUsd(amount, price)).toBe(usd)
  })
})

describe('minOfferAmount', () => {
  test('behavior: from it on the station takes every offer, and it delivers something', () => {
    fc.assert(
      fc.property(pricings, fc.bigInt({ min: 0n, max: 10n ** 30n }), (pricing, more) => {
        const offer = minOfferAmount(pricing) + more
        const price = priceOrder(offer, pricing, 0n)
        expect(price.protocolFee <= maxProtocolFee(offer)).toBe(true)
        expect(price.totalFees < offer).toBe(true)
        expect(price.amountOut > 0n).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('behavior: it is hardly above the smallest', () => {
    const pricing = { offerDecimals: 6, wantDecimals: 6 }
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.nat(4_000), (fillCost, rate) => {
        const of = { ...pricing, fillCostFee: fillCost, conversionRateHundredthsBps: rate }
        const below = minOfferAmount(of) - 4_000n
        fc.pre(below > 0n)
        expect(priceOrder(below, of, 0n).protocolFee).toBeGreaterThan(maxProtocolFee(below))
      }),
    )
  })
})

describe('fitsStation', () => {
  test('default', () => {
    const pricing = { conversionRateHundredthsBps: 0, fillCostFee: 0n }
    const six = { ...pricing, offerDecimals: 6, wantDecimals: 6 }
    expect(fitsStation(10n ** 60n, six)).toBe(true)
    expect(fitsStation(2n ** 256n - 1n, six)).toBe(false)
    const eighteen = { ...pricing, offerDecimals: 18, wantDecimals: 18 }
    expect(fitsStation((2n ** 256n - 1n) / 1_000n, eighteen)).toBe(true)
    expect(fitsStation((2n ** 256n - 1n) / 1_000n + 1n, eighteen)).toBe(false)
    expect(fitsStation(10n ** 71n, { ...eighteen, wantDecimals: 24 })).toBe(true)
    expect(fitsStation(10n ** 72n, { ...eighteen, wantDecimals: 24 })).toBe(false)
  })
})

describe('maxIntegratorFee', () => {
  test('default: ten percent, rounded down', () => {
    expect(maxIntegratorFee(109n)).toBe(10n)
  })
})
