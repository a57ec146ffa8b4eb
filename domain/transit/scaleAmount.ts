/** The decimals of amounts in messages between stations. */
export const WIRE_DECIMALS = 18

/** Converts between decimals like a station: excess digits are cut off. */
export function scaleAmount(amount: bigint, from: number, to: number): bigint {
  return from <= to ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to)
}
