import { useSmartDeposit } from '@causeway/sdk/react'
import { Link } from '@tanstack/react-router'
import type { Hash } from 'viem'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { StatusLine } from '../components/StatusLine.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import { VaultLink } from '../earn/VaultLink.tsx'
import { shortHex } from '../format/shortHex.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { shownStatus } from '../smartDeposits/depositStatus.ts'

/** The smart deposit of what an order paid, as it is now. */
export function DepositLeg({ depositId }: { depositId: Hash }) {
  const { isEnded } = useSession()
  const { data: deposit } = useSmartDeposit({ depositId }, { enabled: !isEnded })
  if (!deposit) return null
  return (
    <Card title="Into the vault">
      <StatusLine status={shownStatus(deposit)} />
      <dl className="facts">
        <Fact name="Smart deposit">
          <Link to="/console/smart-deposits/$depositId" params={{ depositId }}>
            {shortHex(depositId)}
          </Link>
        </Fact>
        <Fact name="Vault">
          <VaultLink chainId={deposit.chainId} vaultAddress={deposit.vaultAddress} />
        </Fact>
        <Fact name="Shares to">
          <UserLink userAddress={deposit.userDestinationAddress} />
        </Fact>
      </dl>
    </Card>
  )
}
