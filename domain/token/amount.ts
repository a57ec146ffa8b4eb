/** The decimal string of an unsigned integer of 256 bits, which base units on a chain are. */
export function isAmount(text: string): boolean {
  return /^\d{1,78}$/.test(text) && BigInt(text) < 2n ** 256n
}
