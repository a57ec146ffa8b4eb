import type { Holding } from './vaultHoldings.ts'
import { weigh } from './weigh.ts'

/** A holding that counts for what its vault is worth. */
export type Component = Holding & {
  /** Base units of the base. */
  value: bigint
  /** Its part of them all, with six decimals. */
  weight: string
}

/**
 * What a vault consists of: whatever it has and the accountant knows a rate of, by value. Null where a
 * rate is not to be had now: without it all weights would be wrong.
 */
export function composition(holdings: Holding[]): Component[] | null {
  const valued: (Holding & { value: bigint })[] = []
  for (const holding of holdings) {
    if (holding.balance === 0n || !holding.hasRateSource) continue
    if (holding.valueInBase === null) return null
    valued.push({ ...holding, value: holding.valueInBase })
  }
  const ordered = valued.toSorted(byValue)
  const weights = weigh(ordered.map(({ value }) => value))
  return ordered.map((holding, index) => ({ ...holding, weight: weights[index] ?? '' }))
}

type Valued = Pick<Component, 'asset' | 'value'>

function byValue(a: Valued, b: Valued): number {
  if (a.value !== b.value) return a.value > b.value ? -1 : 1
  return a.asset < b.asset ? -1 : 1
}
