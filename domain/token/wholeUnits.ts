/** Base units as whole units, with all decimals: `"12.500000"` for 12500000 with 6 decimals. */
export function wholeUnits(amount: bigint, decimals: number): string {
  if (amount < 0n) return `-${wholeUnits(-amount, decimals)}`
  const digits = String(amount).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}
