import { useEffect, useState } from 'react'
import type { EIP1193Provider } from 'viem'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { Hex } from '../components/Hex.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Empty } from '../components/states.tsx'
import { injectedWallet, type Wallet } from './wallet.ts'

type Props = { wallet: Wallet | null; onConnect: (wallet: Wallet | null) => void }

/** The choice of a wallet of this browser. */
export function InjectedWallets({ wallet, onConnect }: Props) {
  const announced = useInjectedWallets()
  const [failure, setFailure] = useState<unknown>(null)
  const connect = ({ provider, info }: AnnouncedWallet) => {
    setFailure(null)
    injectedWallet(provider, info.name).then(onConnect, setFailure)
  }
  if (wallet)
    return (
      <Card title="Account">
        <div className="form-row">
          <p>
            {wallet.name}: <Hex hex={wallet.address} of="account" />
          </p>
          <Button onClick={() => onConnect(null)}>Use another wallet</Button>
        </div>
      </Card>
    )
  return (
    <Card title="Connect a wallet">
      {announced.length === 0 ? (
        <Empty title="This browser has no wallet">
          Install a wallet that announces itself to pages (EIP-6963), and load the page again. What
          you sign here is real.
        </Empty>
      ) : (
        <div className="stack">
          <p className="muted">What you sign here is real and moves real tokens.</p>
          <div className="page-actions">
            {announced.map((one) => (
              <Button key={one.info.uuid} onClick={() => connect(one)}>
                <img src={one.info.icon} alt="" width="20" height="20" />
                {one.info.name}
              </Button>
            ))}
          </div>
          <Refusal error={failure} />
        </div>
      )}
    </Card>
  )
}

/** A wallet as it announces itself (EIP-6963). */
type AnnouncedWallet = {
  info: { uuid: string; name: string; icon: string }
  provider: EIP1193Provider
}

/** The wallets of this browser. */
function useInjectedWallets(): readonly AnnouncedWallet[] {
  const [wallets, setWallets] = useState<readonly AnnouncedWallet[]>([])
  useEffect(() => {
    const announced = (event: Event) => {
      // The event's form is fixed by EIP-6963.
      const { detail } = event as CustomEvent<AnnouncedWallet>
      setWallets((known) => [...known.filter(({ info }) => info.uuid !== detail.info.uuid), detail])
    }
    addEventListener('eip6963:announceProvider', announced)
    dispatchEvent(new Event('eip6963:requestProvider'))
    return () => removeEventListener('eip6963:announceProvider', announced)
  }, [])
  return wallets
}
