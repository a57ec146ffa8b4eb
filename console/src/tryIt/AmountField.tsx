import { useId } from 'react'
import type { OfferedAsset } from '../earn/useVaultOffers.ts'
import { Shown } from './Shown.tsx'
import type { useAmount } from './useAmount.ts'

type Props = {
  asset: OfferedAsset
  amount: ReturnType<typeof useAmount>
  /** The account's balance in base units; undefined while it is not known. */
  balance: bigint | undefined
}

/** An amount of a token, with the account's balance of it. */
export function AmountField({ asset, amount, balance }: Props) {
  const { text, setText, fault } = amount
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Amount in {asset.symbol}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={fault ? 'fault' : 'hint'}>
        {fault}
        {!fault && balance !== undefined && (
          <>
            The account has <Shown amount={balance} asset={asset} />.
          </>
        )}
      </p>
    </div>
  )
}
