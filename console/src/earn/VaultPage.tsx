import { getRouteApi } from '@tanstack/react-router'
import { symbolOf } from '../api/tokens.ts'
import { ChainName } from '../chains/ChainName.tsx'
import { OnChain } from '../chains/OnChain.tsx'
import { Amount } from '../components/Amount.tsx'
import { Bar } from '../components/Bar.tsx'
import { Card } from '../components/Card.tsx'
import { Fact } from '../components/Fact.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { formatDecimal, formatPercent } from '../format/formatNumber.ts'
import { isAddressText } from '../format/hexKind.ts'
import type { VaultPlace } from './deploymentsOf.ts'
import { Queue } from './Queue.tsx'
import { useVault, type VaultView } from './useVault.ts'
import { VaultCharts } from './VaultCharts.tsx'

const route = getRouteApi('/console/earn/$chainId/$vaultAddress')

/** One deployment of a vault. */
export function VaultPage() {
  const { chainId, vaultAddress } = route.useParams()
  if (!isAddressText(vaultAddress) || !/^\d{1,15}$/.test(chainId))
    return (
      <Page title="Vault">
        <Empty title="This is not a vault">A vault has a chain id and an address.</Empty>
      </Page>
    )
  return <PlacePage place={{ chainId: Number(chainId), vaultAddress }} />
}

function PlacePage({ place }: { place: VaultPlace }) {
  const query = useVault(place)
  return (
    <Page
      title={query.data?.vault.name ?? 'Vault'}
      about={
        <>
          <ChainName chainId={place.chainId} />{' '}
          <OnChain chainId={place.chainId} hex={place.vaultAddress} kind="address" />
        </>
      }
    >
      <Answered query={query} rows={10}>
        {(view) =>
          view === null ? (
            <Empty title="No vault is here">
              The address book has no vault with this address on this chain.
            </Empty>
          ) : (
            <>
              <VaultCharts place={place} />
              <div className="grid-2">
                <Composition view={view} />
                <CapCard view={view} />
              </div>
              <Queue view={view} />
            </>
          )
        }
      </Answered>
    </Page>
  )
}

function CapCard({ view: { cap, vault } }: { view: VaultView }) {
  return (
    <Card title="Supply cap">
      {cap?.supplyCap && cap.percentageFilled ? (
        <div className="stack">
          <Bar
            name="Supply cap used"
            percent={Number(cap.percentageFilled)}
            text={formatPercent(cap.percentageFilled).short}
          />
          <dl className="facts">
            <Fact name="In use">
              <Amount value={formatDecimal(cap.totalSupplyInBase)} />
            </Fact>
            <Fact name="Cap">
              <Amount value={formatDecimal(cap.supplyCap)} />
            </Fact>
          </dl>
        </div>
      ) : (
        <p className="muted">Deposits have no cap.</p>
      )}
      {vault.inDeprecation && (
        <p className="note warn">This vault is deprecated and takes no deposits.</p>
      )}
    </Card>
  )
}

/** The assets of a vault, largest first. */
function Composition({ view: { components, tokens, vault } }: { view: VaultView }) {
  return (
    <Card title="Composition">
      {components.length === 0 ? (
        <Empty title="The vault holds nothing" />
      ) : (
        <ul className="holdings">
          {components
            .toSorted((one, other) => Number(other.weight) - Number(one.weight))
            .map(({ assetAddress, value, valueAsset, weight, positionRef }) => {
              const name = symbolOf(tokens, vault.chainId, assetAddress)
              return (
                <li key={positionRef.id}>
                  <div className="holding-head">
                    <strong>{name}</strong>
                    <Amount value={formatDecimal(value)} unit={valueAsset} />
                  </div>
                  <Bar
                    name={`Weight of ${name}`}
                    percent={Number(weight) * 100}
                    text={formatPercent(String(Number(weight) * 100)).short}
                  />
                </li>
              )
            })}
        </ul>
      )}
    </Card>
  )
}
