import { positionsOptions, useAll } from '@causeway/sdk/react'
import type { Address } from 'viem'
import { LIVE } from '../api/live.ts'
import { Amount } from '../components/Amount.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import type { VaultOffer } from '../earn/useVaultOffers.ts'
import { formatDecimal } from '../format/formatNumber.ts'

type Props = { userAddress: Address; offer: Pick<VaultOffer, 'name' | 'chainId' | 'vaultAddress'> }

/** An account's present position in a vault. */
export function PositionCard({ userAddress, offer: { name, chainId, vaultAddress } }: Props) {
  const filter = { chainId, vaultAddress }
  const query = useAll(positionsOptions, { userAddress, filter }, LIVE)
  return (
    <Card title={`Your position in ${name}`}>
      <Answered query={query}>
        {({ rows: [position], tokenMetadata }) =>
          position ? (
            <dl className="facts">
              <Fact name="Shares">
                <TokenAmount
                  amount={position.shareBalance}
                  tokens={tokenMetadata}
                  chainId={chainId}
                  token={vaultAddress}
                />
              </Fact>
              <Fact name="Value">
                <Amount
                  value={formatDecimal(position.positionValueInBase)}
                  unit={position.assetMetadata.symbol}
                />
              </Fact>
              <Fact name="All of the account">
                <UserLink userAddress={userAddress} />
              </Fact>
            </dl>
          ) : (
            <Empty title="No shares">The account has no shares of this vault now.</Empty>
          )
        }
      </Answered>
    </Card>
  )
}
