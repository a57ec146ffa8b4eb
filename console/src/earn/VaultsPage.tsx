import type { components } from '@causeway/sdk'
import {
  joinQueries,
  supplyCapsOptions,
  useAll,
  vaultApysOptions,
  vaultsOptions,
  vaultTvlsOptions,
} from '@causeway/sdk/react'
import { Link } from '@tanstack/react-router'
import { Amount } from '../components/Amount.tsx'
import { Badge } from '../components/Badge.tsx'
import { Bar } from '../components/Bar.tsx'
import { chainColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { formatDecimal, formatPercent } from '../format/formatNumber.ts'
import { deploymentsOf, type VaultPlace, vaultKey } from './deploymentsOf.ts'

const EVERY_MS = 30_000
/** Only the current row of each series. */
const CURRENT = { lookback: 86_400, orderByTimestamp: 'desc' } as const

/** Every vault on every chain. */
export function VaultsPage() {
  const settings = { refetchInterval: EVERY_MS }
  const queries = {
    vaults: useAll(vaultsOptions, {}, settings),
    tvls: useAll(vaultTvlsOptions, CURRENT, settings),
    apys: useAll(vaultApysOptions, CURRENT, settings),
    caps: useAll(supplyCapsOptions, {}, settings),
  }
  const query = joinQueries(queries, ({ vaults, tvls, apys, caps }) => ({
    rows: vaultRows({ vaults: vaults.rows, tvls: tvls.rows, apys: apys.rows, caps: caps.rows }),
    hasMore: [vaults, tvls, apys, caps].some(({ hasMore }) => hasMore),
  }))
  return (
    <Page title="Earn" about="The vaults, and what each of their deployments holds and earns.">
      <ListCard
        title="Vaults"
        query={query}
        columns={COLUMNS}
        keyOf={vaultKey}
        none="No vault is set up"
        advice="The address book of this installation has none."
      />
    </Page>
  )
}

const COLUMNS: readonly Column<VaultRow>[] = [
  {
    header: 'Vault',
    sortBy: ({ name }) => name,
    cell: ({ name, chainId, vaultAddress }) => (
      <Link
        to="/console/earn/$chainId/$vaultAddress"
        params={{ chainId: String(chainId), vaultAddress }}
      >
        <strong>{name}</strong>
      </Link>
    ),
  },
  chainColumn('Chain', ({ chainId }) => chainId),
  {
    header: 'TVL',
    isNumber: true,
    sortBy: ({ tvl }) => Number(tvl?.tvl ?? 0),
    cell: ({ tvl }) => (tvl ? <Amount value={formatDecimal(tvl.tvl)} unit={tvl.tvlAsset} /> : '–'),
  },
  {
    header: 'APY, 7 days',
    isNumber: true,
    sortBy: ({ apy }) => Number(apy?.apy ?? 0),
    cell: ({ apy }) => (apy?.apy ? <Amount value={formatPercent(apy.apy)} /> : '–'),
  },
  {
    header: 'Cap used',
    cell: ({ cap }) =>
      cap?.percentageFilled ? (
        <Bar
          name="Cap used"
          percent={Number(cap.percentageFilled)}
          text={formatPercent(cap.percentageFilled).short}
        />
      ) : (
        <span className="muted">no cap</span>
      ),
  },
  {
    header: 'State',
    cell: ({ inDeprecation, stale, requiresKyt }) => (
      <span className="badges">
        {inDeprecation && <Badge tone="warn">Deprecated</Badge>}
        {stale && <Badge tone="warn">Not up to date</Badge>}
        {requiresKyt && <Badge tone="info">Needs attestation</Badge>}
        {!inDeprecation && !stale && <Badge tone="good">Open</Badge>}
      </span>
    ),
  },
]

/** One deployment of a vault, with what the lists know of it. */
type VaultRow = ReturnType<typeof vaultRows>[number]

type Schemas = components['schemas']
type Lists = {
  vaults: readonly Schemas['Vault'][]
  tvls: readonly Schemas['VaultTvl'][]
  apys: readonly Schemas['VaultApy'][]
  caps: readonly Schemas['SupplyCap'][]
}

/** A row per deployment. Series come newest first: the first row of a vault is its current one. */
function vaultRows({ vaults, tvls, apys, caps }: Lists) {
  const [tvlOf, apyOf, capOf] = [firstByVault(tvls), firstByVault(apys), firstByVault(caps)]
  return deploymentsOf(vaults).map((deployment) => {
    const key = vaultKey(deployment)
    return { ...deployment, tvl: tvlOf.get(key), apy: apyOf.get(key), cap: capOf.get(key) }
  })
}

function firstByVault<Row extends VaultPlace>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [vaultKey(row), row] as const).toReversed())
}
