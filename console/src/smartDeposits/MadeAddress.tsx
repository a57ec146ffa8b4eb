import type { Address } from 'viem'
import { ChainName } from '../chains/ChainName.tsx'
import { Hex } from '../components/Hex.tsx'
import { QrCode } from '../components/QrCode.tsx'
import { SecretText } from '../components/SecretText.tsx'

export type Made = {
  address: Address
  user: Address
  symbol: string
  vault: string
  chainId: number
}

/** A smart deposit address for a user to pay to: as text, as a code, and what may be sent. */
export function MadeAddress({ made }: { made: Made }) {
  return (
    <div className="made-address">
      <QrCode text={made.address} label={`QR code of ${made.address}`} />
      <SecretText text={made.address} of="smart deposit address" />
      <p>
        Send only <strong>{made.symbol}</strong>, and only on{' '}
        <strong>
          <ChainName chainId={made.chainId} />
        </strong>
        . Another token is not deposited and stays at the address.
      </p>
      <p className="muted">
        It goes into {made.vault} for <Hex hex={made.user} of="user's address" />
      </p>
    </div>
  )
}
