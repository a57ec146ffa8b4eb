import { useState } from 'react'
import { parseUnits } from 'viem'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'

/** An amount of a token that is typed in, and why it is refused. */
export function useAmount(asset: OfferedAsset, first: string) {
  const [text, setText] = useState(first)
  const amount = parseAmount(text, asset.decimals)
  const fault =
    amount === null ? `Type a number above 0 with at most ${asset.decimals} decimals.` : undefined
  return { text, setText, amount, fault }
}

/** An amount that was typed in, in base units. Null if it is not a positive number that the token can hold. */
export function parseAmount(text: string, decimals: number): bigint | null {
  const plain = text.trim().replaceAll(',', '')
  const [, fraction = ''] = /^\d+(?:\.(\d+))?$/.exec(plain) ?? [null, 'x'.repeat(decimals + 1)]
  if (fraction.length > decimals) return null
  const amount = parseUnits(plain, decimals)
  return amount > 0n ? amount : null
}
