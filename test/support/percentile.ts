/** The value below which that share of them lies, by the nearest rank; 0 of none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1] ?? 0
}
