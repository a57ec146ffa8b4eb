import { parseUnits } from 'viem'

/** An amount that was typed in, in base units. Null if it is not a positive number that the token can hold. */
export function parseAmount(text: string, decimals: number): bigint | null {
  const plain = text.trim().replaceAll(',', '')
  const [, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(plain) ?? [null, 'x'.repeat(decimals + 1)]
  if (fraction.length > decimals) return null
  const amount = parseUnits(plain, decimals)
  return amount > 0n ? amount : null
}
