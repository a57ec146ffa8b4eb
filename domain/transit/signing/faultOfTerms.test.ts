import { zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { localAddressBook } from '../../../devnet/localAddressBook.ts'
import { parseAddressBook } from '../../addressBook/addressBook.ts'
import { priceOrder } from '../priceOrder.ts'
import { resolvedRoutes } from '../routes/resolvedRoutes.ts'
import type { TransitQuote } from '../terms/quoteTypedData.ts'
import { faultOfTerms, type TermBounds } from './faultOfTerms.ts'
import { isInBand } from './priceBand.ts'

const NOW = 1_700_000_000
const USER = `0x${'11'.repeat(20)}` as const
const OFFER = 2_000_000_000n

const book = parseAddressBook(localAddressBook(DEPLOYMENT, [1, 4663]), 'local')
const [local] = resolvedRoutes(book)
if (!local) throw new Error('the local world has routes')
const bounds: TermBounds = {
  resolved: { ...local, route: { ...local.route, maxOrderSize: String(OFFER) } },
  pricing: {
    conversionRateHundredthsBps: 500,
    fillCostFee: 900_001n,
    offerDecimals: 6,
    wantDecimals: 6,
  },
  now: NOW,
  latestDeadline: NOW + 660,
}
const good: TransitQuote = {
  route: { destEID: 30_416, offerAsset: USER, wantAsset: USER },
  offerAmount: OFFER,
  receiver: USER,
  protocolFee: priceOrder(OFFER, bounds.pricing, 0n).protocolFee,
  integratorFee: 0n,
  integratorFeeReceiver: zeroAddress,
  distributorCode: zeroHash,
  deadline: BigInt(NOW + 600),
  salt: zeroHash,
}

describe('faultOfTerms', () => {
  test('default: what the server prices has no fault, at the limits neither', () => {
    expect(faultOfTerms(good, bounds)).toBeNull()
    const limits: Partial<TransitQuote>[] = [
      // 5 bps and half of the cost.
      { protocolFee: 1_000_000n + 450_000n },
      { protocolFee: 10_000_000n },
      { integratorFee: 200_000_000n, integratorFeeReceiver: USER },
      { deadline: BigInt(NOW + 1) },
      { deadline: BigInt(NOW + 660) },
    ]
    for (const limit of limits) expect(faultOfTerms({ ...good, ...limit }, bounds)).toBeNull()
  })

  test.each<[fault: string, terms: Partial<TransitQuote>]>([
    ['no receiver', { receiver: zeroAddress }],
    ['offers nothing', { offerAmount: 0n }],
    ['offers nothing', { offerAmount: -1n }],
    ['least order', { offerAmount: 999_999n }],
    ['largest order', { offerAmount: OFFER + 1n }],
    ['largest order', { offerAmount: 2n ** 200n }],
    ['the protocol fee is less', { protocolFee: 1_449_999n }],
    ['the protocol fee is less', { protocolFee: 0n }],
    ['the protocol fee is more', { protocolFee: 10_000_001n }],
    ['the integrator fee is more', { integratorFee: 200_000_001n, integratorFeeReceiver: USER }],
    ['the integrator fee is more', { integratorFee: -1n }],
    ['fee has no receiver', { integratorFee: 1n }],
    ['deadline is past', { deadline: BigInt(NOW) }],
    ['deadline is too late', { deadline: BigInt(NOW + 661) }],
  ])('error: %s', (fault, terms) => {
    expect(faultOfTerms({ ...good, ...terms }, bounds)).toContain(fault)
  })
})

describe('isInBand', () => {
  test.each([
    [100_000_000n, 8, true],
    [99_000_000n, 8, true],
    [101_000_000n, 8, true],
    [98_999_999n, 8, false],
    [101_000_001n, 8, false],
    [50_000_000n, 8, false],
    [1n, 0, true],
    [2n, 0, false],
    [10n ** 30n, 18, false],
  ])('default: %s with %s decimals', (answer, decimals, expected) => {
    expect(isInBand({ answer, decimals }, 100)).toBe(expected)
  })
})
