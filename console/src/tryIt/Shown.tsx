import { Amount } from '../components/Amount.tsx'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'
import { formatAmount } from '../format/formatNumber.ts'

/** Base units of a token, in words for a signature. */
export function Shown({ amount, asset }: { amount: bigint; asset: OfferedAsset }) {
  return <Amount value={formatAmount(amount, asset.decimals)} unit={asset.symbol} />
}
