import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { mnemonicToAccount } from 'viem/accounts'
import { Card } from '../components/Card.tsx'
import { Choice } from '../components/Choice.tsx'
import { Page } from '../components/Page.tsx'
import { entriesOf } from '../format/entriesOf.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { DepositJourney } from './DepositJourney.tsx'
import { FromAnywhereJourney } from './FromAnywhereJourney.tsx'
import { InjectedWallets } from './InjectedWallets.tsx'
import { JOURNEYS } from './journeyName.ts'
import { TakeBackJourney } from './TakeBackJourney.tsx'
import { TransitJourney } from './TransitJourney.tsx'
import { WithdrawJourney } from './WithdrawJourney.tsx'
import { localWallet, type Wallet } from './wallet.ts'

/** Anvil's default mnemonic: everybody knows it, so its accounts are worth something on local chains only. */
const MNEMONIC = 'test test test test test test test test test test test junk'
const COUNT = 5

/** The first accounts of the local world, which has given them a million of each token. */
const LOCAL_ACCOUNTS = Array.from({ length: COUNT }, (_, addressIndex) =>
  mnemonicToAccount(MNEMONIC, { addressIndex }),
)

const route = getRouteApi('/console/try')

/** Guided journeys with a real account against this installation. */
export function TryItPage() {
  const { journey } = route.useSearch()
  const isLocal = useSession().session?.signIn?.local === true
  const [accountIndex, setAccountIndex] = useState(0)
  const [injected, setInjected] = useState<Wallet | null>(null)
  const wallet = useMemo(() => {
    const account = LOCAL_ACCOUNTS[accountIndex]
    return isLocal && account ? localWallet(account) : injected
  }, [isLocal, accountIndex, injected])
  const name = journey ?? 'from-anywhere'
  return (
    <Page
      title="Try it"
      about="Each step shows its request as curl, GraphQL and TypeScript beside the answer, and names what you sign."
    >
      {isLocal ? (
        <LocalWallets index={accountIndex} onChoose={setAccountIndex} />
      ) : (
        <InjectedWallets wallet={injected} onConnect={setInjected} />
      )}
      <nav className="tabs" aria-label="Journeys">
        {entriesOf(JOURNEYS).map(([one, title]) => (
          <Link
            key={one}
            to="/console/try"
            search={{ journey: one }}
            className={one === name ? 'tab active' : 'tab'}
            aria-current={one === name ? 'page' : undefined}
            activeOptions={{ includeSearch: true, exact: true }}
          >
            {title}
          </Link>
        ))}
      </nav>
      {wallet && (
        // Another account begins anew.
        <div className="stack" key={wallet.address}>
          {name === 'from-anywhere' && <FromAnywhereJourney wallet={wallet} />}
          {name === 'transit' && <TransitJourney wallet={wallet} />}
          {name === 'deposit' && <DepositJourney wallet={wallet} />}
          {name === 'withdraw' && <WithdrawJourney wallet={wallet} />}
          {name === 'take-back' && <TakeBackJourney wallet={wallet} />}
        </div>
      )}
    </Page>
  )
}

type LocalWalletsProps = { index: number; onChoose: (index: number) => void }

/** The choice of an account of the local world. */
function LocalWallets({ index, onChoose }: LocalWalletsProps) {
  return (
    <Card title="Account">
      <div className="form-row">
        <Choice
          name="Local account"
          value={String(index)}
          options={LOCAL_ACCOUNTS.map(({ address }, at) => [String(at), address])}
          onChoose={(chosen) => onChoose(Number(chosen))}
        />
        <p className="muted">
          These accounts are public and work on the local chains only. This page signs with their
          keys.
        </p>
      </div>
    </Card>
  )
}
