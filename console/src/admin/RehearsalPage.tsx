import type { components } from '@causeway/sdk'
import { rehearsalOptions, useRead } from '@causeway/sdk/react'
import { type Status, StatusBadge } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { chainColumn, countColumn } from '../components/columns.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Page } from '../components/Page.tsx'
import { Stat } from '../components/Stat.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { formatCount, formatDecimal } from '../format/formatNumber.ts'

type Rehearsal = components['schemas']['Rehearsal']
type Line = Rehearsal['lines'][number]
type Calls = Rehearsal['calls'][number]
type Use = Rehearsal['use'][number]

const LEVELS: Record<Line['level'], Status> = {
  ERROR: { name: 'Error', tone: 'bad' },
  WARNING: { name: 'Warning', tone: 'warn' },
  OK: { name: 'Holds', tone: 'good' },
}

/** The report of the last rehearsal on public chains, for operators. */
export function RehearsalPage() {
  const query = useRead(rehearsalOptions)
  return (
    <Page
      title="Rehearsal"
      about="What npm run rehearse found of the address book and its nodes: it indexes a part of each chain, and another provider judges it."
    >
      {query.error?.reason === 'REHEARSAL_NOT_FOUND' ? (
        <Card title="The last rehearsal">
          <Empty title="There is no report">
            <p>{query.error.message}</p>
          </Empty>
        </Card>
      ) : (
        <Answered query={query} rows={8}>
          {(rehearsal) => <Report rehearsal={rehearsal} />}
        </Answered>
      )}
    </Page>
  )
}

function Report({ rehearsal }: { rehearsal: Rehearsal }) {
  const { lines, calls, use, seconds, callsPerDay, usdPerDay, chainIds, blocks } = rehearsal
  const countOf = (level: Line['level']) =>
    formatCount(lines.filter((line) => line.level === level).length)
  const made = calls.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <dl className="stats">
        <Stat name="Errors">{countOf('ERROR')}</Stat>
        <Stat name="Warnings">{countOf('WARNING')}</Stat>
        <Stat name="Holds">{countOf('OK')}</Stat>
        <Stat name="Minutes" under={<Time time={rehearsal.ranAt} />}>
          {formatDecimal(String(seconds / 60), 1).short}
        </Stat>
        <Stat name="Calls" under={`${formatCount(chainIds.length)} chains`}>
          {formatCount(made)}
        </Stat>
        <Stat name="A day of one indexer" under={`${formatCount(callsPerDay)} calls`}>
          {formatDecimal(String(usdPerDay)).short} USD
        </Stat>
      </dl>
      <Card title="What was tried" isFlush>
        <DataTable label="What was tried" rows={lines} columns={LINE_COLUMNS} keyOf={keyOfLine} />
        {blocks !== null && (
          <p className="table-foot">
            Only the newest {formatCount(blocks)} blocks of each chain were indexed.
          </p>
        )}
      </Card>
      <div className="grid-2">
        <Card title="Calls of the rehearsal" isFlush>
          <DataTable
            label="Calls of the rehearsal"
            rows={calls}
            columns={CALL_COLUMNS}
            keyOf={({ host }) => host}
          />
        </Card>
        <Card title="Calls of one indexer in a day" isFlush>
          <DataTable
            label="Calls of one indexer in a day"
            rows={use}
            columns={USE_COLUMNS}
            keyOf={({ chainId, method }) => `${chainId} ${method}`}
          />
        </Card>
      </div>
    </>
  )
}

const keyOfLine = ({ level, check, message, advice }: Line) =>
  [level, check, message, advice].join('\n')

const LINE_COLUMNS: readonly Column<Line>[] = [
  { header: 'Result', cell: ({ level }) => <StatusBadge status={LEVELS[level]} /> },
  { header: 'Part', cell: ({ check }) => <span className="wrap">{check}</span> },
  { header: 'Found', cell: ({ message }) => <span className="wrap">{message}</span> },
  { header: 'What to do', cell: ({ advice }) => advice && <span className="wrap">{advice}</span> },
]

const CALL_COLUMNS: readonly Column<Calls>[] = [
  { header: 'Host', cell: ({ host }) => <span className="wrap">{host}</span> },
  { header: 'Calls', isNumber: true, cell: ({ count }) => formatCount(count) },
]

const USE_COLUMNS: readonly Column<Use>[] = [
  chainColumn('Chain', ({ chainId }) => chainId),
  { header: 'Method', cell: ({ method }) => <code>{method}</code> },
  countColumn('Calls', ({ callsPerDay }) => callsPerDay),
]
