/** Whether a text is a decimal unsigned 256-bit integer, the range of base units on a chain. */
export function isAmount(text: string): boolean {
  return /^\d{1,78}$/.test(text) && BigInt(text) < 2n ** 256n
}

/** An amount that the database has as text; null for none. */
export function amountOrNull(text: string | null | undefined): bigint | null {
  return text === null || text === undefined ? null : BigInt(text)
}
