import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Hex } from '../components/Hex.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import { VaultLink } from '../earn/VaultLink.tsx'
import type { SmartDeposit } from './depositStatus.ts'

/** The ids and accounts of a payment. */
export function DepositFacts({ deposit }: { deposit: SmartDeposit }) {
  const { chainId, depositId, customerId } = deposit
  return (
    <Card title="Details">
      <dl className="facts">
        <Fact name="Deposit id">
          <Hex hex={depositId} of="id of the deposit" />
        </Fact>
        <Fact name="Chain">
          <ChainName chainId={chainId} />
        </Fact>
        <Fact name="Address">
          <OnChain chainId={chainId} hex={deposit.smartDepositAddress} kind="address" />
        </Fact>
        <Fact name="Token">
          <OnChain chainId={chainId} hex={deposit.inputToken} kind="token" />
        </Fact>
        <Fact name="Vault">
          <VaultLink chainId={chainId} vaultAddress={deposit.vaultAddress} />
        </Fact>
        <Fact name="User">
          <UserLink userAddress={deposit.userDestinationAddress} />
        </Fact>
        {customerId && <Fact name="Customer">{customerId}</Fact>}
      </dl>
    </Card>
  )
}
