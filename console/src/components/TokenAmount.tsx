import { type TokenMap, tokenOf } from '../api/tokens.ts'
import { formatAmount } from '../format/formatNumber.ts'
import { shortHex } from '../format/shortHex.ts'
import { Amount } from './Amount.tsx'

/** An amount of a token. Amount and token are missing while they are unknown, or if there are none. */
export type Held = {
  amount: bigint | null | undefined
  chainId: number
  token: string | null | undefined
}

/** An amount of a token, or a dash. A token without known decimals is shown in base units. */
export function TokenAmount({ amount, tokens, chainId, token }: Held & { tokens: TokenMap }) {
  if (amount === null || amount === undefined || !token) return '–'
  const facts = tokenOf(tokens, chainId, token)
  return facts ? (
    <Amount value={formatAmount(amount, facts.decimals)} unit={facts.symbol} />
  ) : (
    <Amount value={formatAmount(amount, 0)} unit={`base units of ${shortHex(token)}`} />
  )
}
