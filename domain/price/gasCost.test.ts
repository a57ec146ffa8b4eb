import { describe, expect, test } from 'vitest'
import { gasCost } from './gasCost.ts'

describe('gasCost', () => {
  test('default: 130,000 gas at 20 gwei, ETH at 2,500.50, USDC at 0.9998', () => {
    // 130,000 × 20e9 wei = 0.0026 ETH = 6.5013 USD = 6.502600520… USDC
    const cost = {
      gas: 130_000n,
      gasPrice: 20_000_000_000n,
      nativeUsd: { answer: 250_050_000_000n, decimals: 8 },
      tokenUsd: { answer: 99_980_000n, decimals: 8 },
    }
    expect(gasCost({ ...cost, tokenDecimals: 6 })).toBe(6_502_601n)
    expect(gasCost({ ...cost, tokenDecimals: 18 })).toBe(6_502_600_520_104_020_805n)
    expect(gasCost({ ...cost, tokenDecimals: 0 })).toBe(7n)
  })

  test('behavior: feeds of other decimals say the same', () => {
    const cost = { gas: 100n, gasPrice: 10n ** 15n, tokenDecimals: 6 }
    const inEight = { answer: 3_000n * 10n ** 8n, decimals: 8 }
    const inEighteen = { answer: 3_000n * 10n ** 18n, decimals: 18 }
    const dollar = { answer: 1n, decimals: 0 }
    expect(gasCost({ ...cost, nativeUsd: inEight, tokenUsd: dollar })).toBe(300_000_000n)
    expect(gasCost({ ...cost, nativeUsd: inEighteen, tokenUsd: dollar })).toBe(300_000_000n)
  })

  test('behavior: no gas costs nothing; the smallest cost is one base unit', () => {
    const cost = {
      gas: 1n,
      nativeUsd: { answer: 1n, decimals: 8 },
      tokenUsd: { answer: 10n ** 8n, decimals: 8 },
      tokenDecimals: 6,
    }
    expect(gasCost({ ...cost, gasPrice: 0n })).toBe(0n)
    expect(gasCost({ ...cost, gasPrice: 1n })).toBe(1n)
  })
})
