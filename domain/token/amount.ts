/** Whether a text is a decimal unsigned 256-bit integer, the range of base units on a chain. */
export function isAmount(text: string): boolean {
  return /^\d{1,78}$/.test(text) && BigInt(text) < 2n ** 256n
}
