import type { VaultHolding } from './vaultHoldingsCache.ts'
import { weigh } from './weigh.ts'

/** A holding that counts for the value of its vault. */
export type Component = VaultHolding & {
  /** In base units of the vault's base. */
  value: bigint
  /** The part of the whole value, with six decimals. */
  weight: string
}

/**
 * The composition of a vault: its holdings for which the accountant has a source of a rate, by value.
 * Null if a rate cannot be read now: all weights would be wrong without it.
 */
export function composition(holdings: VaultHolding[]): Component[] | null {
  const valued: (VaultHolding & { value: bigint })[] = []
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
