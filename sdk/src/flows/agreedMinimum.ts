const BPS = 10_000n

/** The least amount that agreed terms allow, rounded up. By default 0.1 % less. */
export function agreedMinimum(agreed: bigint, maxSlippageBps = 10): bigint {
  return (agreed * (BPS - BigInt(maxSlippageBps)) + BPS - 1n) / BPS
}
