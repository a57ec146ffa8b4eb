import { useEffect, useState } from 'react'
import type { EIP1193Provider } from 'viem'

/** A wallet as it announces itself (EIP-6963). */
export type AnnouncedWallet = {
  info: { uuid: string; name: string; icon: string }
  provider: EIP1193Provider
}

/** The wallets of this browser. */
export function useInjectedWallets(): readonly AnnouncedWallet[] {
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
