import { useState } from 'react'
import { parseUnits } from 'viem'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'

type Field = {
  /** The route, vault or token that the amount belongs to. When it changes, `first` replaces the typed amount. */
  key: string
  /** The amount before anything is typed. */
  first: string
}

/** An amount of a token that is typed in, and why it is refused. */
export function useAmount(asset: OfferedAsset, { key, first }: Field) {
  const [typed, setTyped] = useState({ key, text: first })
  if (typed.key !== key) setTyped({ key, text: first })
  const { text } = typed
  const setText = (changed: string) => setTyped({ key, text: changed })
  const amount = parseAmount(text, asset.decimals)
  const fault =
    amount === null
      ? `Type a number above 0 with at most ${asset.decimals} decimals after a point, such as 1,000.5.`
      : undefined
  return { text, setText, amount, fault }
}

/** Digits, or groups of three with commas between them, and decimals after a point. */
const AMOUNT = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/

/** An amount that was typed in, in base units. Null if it is not a positive number that the token can hold. */
export function parseAmount(text: string, decimals: number): bigint | null {
  const plain = text.trim()
  const match = AMOUNT.exec(plain)
  if (!match || (match[1] ?? '').length > decimals) return null
  const amount = parseUnits(plain.replaceAll(',', ''), decimals)
  return amount > 0n ? amount : null
}
