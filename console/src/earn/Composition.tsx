import { symbolOf } from '../api/tokens.ts'
import { Amount } from '../components/Amount.tsx'
import { Bar } from '../components/Bar.tsx'
import { Card } from '../components/Card.tsx'
import { Empty } from '../components/states.tsx'
import { formatDecimal, formatPercent } from '../format/formatNumber.ts'
import type { VaultView } from './useVault.ts'

/** The assets of a vault, largest first. */
export function Composition({ view: { components, tokens, vault } }: { view: VaultView }) {
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
