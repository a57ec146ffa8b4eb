/** The value below which this share of the values lies, by the nearest rank; 0 without values. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1] ?? 0
}
