import { getRouteApi, Link } from '@tanstack/react-router'
import type { Address } from 'viem'
import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { QrCode } from '../components/QrCode.tsx'
import { SecretText } from '../components/SecretText.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import { VaultLink } from '../earn/VaultLink.tsx'
import { isAddressText } from '../format/hexKind.ts'
import { shortHex } from '../format/shortHex.ts'
import { AcceptsTable } from './AcceptsTable.tsx'
import { DEPOSIT_COLUMNS } from './depositColumns.tsx'
import { depositFilter } from './depositSearch.ts'
import { type AddressRow, useAddress, useDeposits } from './useDeposits.ts'

const route = getRouteApi('/console/smart-deposits/addresses/$address')

/** One smart deposit address, with the payments that it accepts and those that came. */
export function AddressPage() {
  const { address } = route.useParams()
  if (!isAddressText(address))
    return (
      <Page title="Smart deposit address">
        <Empty title="This is not an address">It is 0x and 40 digits.</Empty>
      </Page>
    )
  return <KnownAddressPage address={address} />
}

function KnownAddressPage({ address }: { address: Address }) {
  return (
    <Page title={`Address ${shortHex(address)}`}>
      <Answered query={useAddress(address)} rows={4}>
        {({ rows: [row] }) =>
          row ? (
            <AddressView address={row} />
          ) : (
            <Empty title="Not an address of your organization">
              <Link to="/console/smart-deposits">All addresses</Link>
            </Empty>
          )
        }
      </Answered>
      <ListCard
        title="Deposits"
        query={useDeposits(depositFilter({ address }))}
        columns={DEPOSIT_COLUMNS}
        keyOf={({ depositId }) => depositId}
        none="No deposit yet"
        advice="A payment to the address appears here by itself."
      />
    </Page>
  )
}

function AddressView({ address }: { address: AddressRow }) {
  const { chainId, smartDepositAddress, customerId } = address
  return (
    <>
      <Card title="What it accepts" isFlush>
        <AcceptsTable address={address} />
      </Card>
      <Card title="Details">
        <div className="made-address">
          <QrCode text={smartDepositAddress} label={`QR code of ${smartDepositAddress}`} />
          <SecretText text={smartDepositAddress} of="smart deposit address" />
        </div>
        <dl className="facts">
          <Fact name="Vault">
            <VaultLink {...address} />
          </Fact>
          <Fact name="Vault's chain">
            <ChainName chainId={chainId} />
          </Fact>
          <Fact name="Token of the vault">
            <OnChain chainId={chainId} hex={address.inputToken} kind="token" />
          </Fact>
          <Fact name="User">
            <UserLink userAddress={address.userDestinationAddress} />
          </Fact>
          {customerId && <Fact name="Customer">{customerId}</Fact>}
          <Fact name="Factory">
            <OnChain chainId={chainId} hex={address.factoryAddress} kind="address" />
          </Fact>
        </dl>
      </Card>
    </>
  )
}
