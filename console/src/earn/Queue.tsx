import { symbolOf, type TokenMap, tokenOf } from '../api/tokens.ts'
import { Card } from '../components/Card.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { amountColumn, timeColumn } from '../components/columns.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { formatAmount } from '../format/formatNumber.ts'
import { UserLink } from './UserLink.tsx'
import type { VaultView } from './useVault.ts'

type Row = VaultView['requests'][number] & { tokens: TokenMap }

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Position',
    isNumber: true,
    sortBy: ({ queuePosition }) => queuePosition ?? Number.MAX_SAFE_INTEGER,
    cell: ({ queuePosition }) => queuePosition ?? '–',
  },
  { header: 'User', cell: ({ userAddress }) => <UserLink userAddress={userAddress} /> },
  amountColumn('Estimated payout', (row) => ({
    amount: row.expectedAssets,
    chainId: row.chainId,
    token: row.wantAssetAddress,
  })),
  timeColumn('Requested', ({ createdAt }) => createdAt),
  {
    header: 'Expected by',
    cell: ({ expectedBy }) =>
      expectedBy ? <Time time={expectedBy} /> : <span className="muted">unknown</span>,
  },
]

/** Why a request can never be paid, by the reasons that no payment to the vault ends. */
const UNPAYABLE: Record<string, string> = {
  PAYS_NOTHING: 'after the fee it is worth nothing',
  NO_RATE: 'the vault has no rate for its asset',
}

/** The withdrawal requests that wait, and what the vault lacks to pay them. */
export function Queue({
  view: { requests, hasMoreRequests, shortfalls, tokens },
}: {
  view: VaultView
}) {
  const rows = requests.map((request) => ({ ...request, tokens }))
  const [blocked] = requests.flatMap(({ blockedBy }) =>
    blockedBy && UNPAYABLE[blockedBy.reason] ? [blockedBy] : [],
  )
  const short = shortfalls.filter(({ shortfall }) => shortfall > 0n)
  return (
    <Card title="Withdrawal queue" isFlush>
      {blocked && (
        <p className="note warn">
          The request {blocked.requestId} holds up the queue: {UNPAYABLE[blocked.reason]}, and the
          queue cannot pay it. The vault's administrators have to mark it for a refund.
        </p>
      )}
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
          <CutNote hasMore={hasMoreRequests} count={requests.length} />
        </>
      )}
    </Card>
  )
}
