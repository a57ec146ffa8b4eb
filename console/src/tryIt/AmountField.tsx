import { useId } from 'react'
import { Amount } from '../components/Amount.tsx'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'
import { formatAmount } from '../format/formatNumber.ts'

type Props = {
  asset: OfferedAsset
  text: string
  onType: (text: string) => void
  /** The account's balance in base units; undefined while it is not known. */
  balance: bigint | undefined
  fault: string | undefined
}

/** An amount of a token, with the account's balance of it. */
export function AmountField({ asset, text, onType, balance, fault }: Props) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Amount in {asset.symbol}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => onType(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={fault ? 'fault' : 'hint'}>
        {fault}
        {!fault && balance !== undefined && (
          <>
            The account has{' '}
            <Amount value={formatAmount(balance, asset.decimals)} unit={asset.symbol} />.
          </>
        )}
      </p>
    </div>
  )
}
