import { type TokenMap, tokenOf } from '../api/tokens.ts'
import { formatAmount } from '../format/formatNumber.ts'
import { shortHex } from '../format/shortHex.ts'
import { Amount } from './Amount.tsx'

type Props = { amount: bigint; tokens: TokenMap; chainId: number; token: string }

/** An amount of a token. A token without known decimals is shown in base units. */
export function TokenAmount({ amount, tokens, chainId, token }: Props) {
  const facts = tokenOf(tokens, chainId, token)
  return facts ? (
    <Amount value={formatAmount(amount, facts.decimals)} unit={facts.symbol} />
  ) : (
    <Amount value={formatAmount(amount, 0)} unit={`base units of ${shortHex(token)}`} />
  )
}
