import { Link } from '@tanstack/react-router'
import { symbolOf, type TokenMap, tokenOf } from '../api/tokens.ts'
import { Card } from '../components/Card.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { formatAmount } from '../format/formatNumber.ts'
import { shortHex } from '../format/shortHex.ts'
import type { VaultView } from './useVault.ts'

type Row = VaultView['requests'][number] & { tokens: TokenMap }

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'position',
    header: 'Position',
    isNumber: true,
    sortBy: ({ queuePosition }) => queuePosition ?? Number.MAX_SAFE_INTEGER,
    cell: ({ queuePosition }) => queuePosition ?? '–',
  },
  {
    id: 'user',
    header: 'User',
    cell: ({ userAddress }) => (
      <Link to="/console/users/$userAddress" params={{ userAddress }} className="mono">
        {shortHex(userAddress)}
      </Link>
    ),
  },
  {
    id: 'payout',
    header: 'Estimated payout',
    isNumber: true,
    cell: ({ expectedAssets, tokens, chainId, wantAssetAddress }) =>
      expectedAssets === null ? (
        '–'
      ) : (
        <TokenAmount
          amount={expectedAssets}
          tokens={tokens}
          chainId={chainId}
          token={wantAssetAddress}
        />
      ),
  },
  {
    id: 'created',
    header: 'Requested',
    sortBy: ({ createdAt }) => createdAt.getTime(),
    cell: ({ createdAt }) => <Time time={createdAt} />,
  },
  {
    id: 'expected',
    header: 'Expected by',
    cell: ({ expectedBy }) =>
      expectedBy ? <Time time={expectedBy} /> : <span className="muted">unknown</span>,
  },
]

/** The withdrawal requests that wait, and what the vault lacks to pay them. */
export function Queue({ view: { requests, isQueueCut, shortfalls, tokens } }: { view: VaultView }) {
  const rows = requests.map((request) => ({ ...request, tokens }))
  const short = shortfalls.filter(({ shortfall }) => shortfall > 0n)
  return (
    <Card title="Withdrawal queue" isFlush>
      {short.map(({ assetAddress, chainId, shortfall }) => {
        const token = tokenOf(tokens, chainId, assetAddress)
        return (
          <p key={assetAddress} className="note warn">
            The vault lacks {formatAmount(shortfall, token?.decimals ?? 0).short}{' '}
            {symbolOf(tokens, chainId, assetAddress)} to pay everyone who waits.
          </p>
        )
      })}
      {rows.length === 0 ? (
        <Empty title="Nobody waits">Every withdrawal request was paid or refunded.</Empty>
      ) : (
        <>
          <DataTable
            label="Withdrawal requests"
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
          />
          <CutNote isCut={isQueueCut} />
        </>
      )}
    </Card>
  )
}
