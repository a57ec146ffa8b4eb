import { useState } from 'react'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'
import { parseAmount } from './parseAmount.ts'

/** An amount of a token that is typed in, and why it is refused. */
export function useAmount(asset: OfferedAsset, first: string) {
  const [text, setText] = useState(first)
  const amount = parseAmount(text, asset.decimals)
  const fault =
    amount === null ? `Type a number above 0 with at most ${asset.decimals} decimals.` : undefined
  return { text, setText, amount, fault }
}
