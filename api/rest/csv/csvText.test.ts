import { expect, test } from 'vitest'
import { routes } from '../routes.ts'
import { csvListOf } from './csvList.ts'
import { csvHeader, csvRows } from './csvText.ts'
import { wantedCsv } from './sendCsv.ts'

const LIST = {
  rows: 'rows',
  isPaged: true,
  columns: [
    { name: 'name', path: ['name'] },
    { name: 'inner.flag', path: ['inner', 'flag'] },
    { name: 'parts', path: ['parts'] },
    {
      name: 'amount',
      path: ['amount'],
      amountOf: { token: 'asset', chainId: 'chainId' },
    },
  ],
}
const TOKEN = { chain_id: '1', address: '0xA', name: '', symbol: '', token_standard: 'ERC20' }
const TOKENS = { '1:0xA': { ...TOKEN, decimals: '6' } }

function lines(...rows: Record<string, unknown>[]): string[] {
  return csvRows(LIST, rows, TOKENS).split('\r\n')
}

test('default: a column for each value, two for an amount', () => {
  expect(csvHeader(LIST)).toBe('name,inner.flag,parts,amount,amount.formatted\r\n')
  const row = { name: 'a', inner: { flag: true }, parts: [{ of: 1 }], chainId: 1, asset: '0xA' }
  expect(lines({ ...row, amount: '1500000' }, { ...row, inner: null, amount: null })).toEqual([
    'a,true,"[{""of"":1}]",1500000,1.500000',
    'a,,"[{""of"":1}]",,',
    '',
  ])
})

test('behavior: an amount of an unknown token has no whole tokens', () => {
  expect(lines({ name: 'a', amount: '5', chainId: 2, asset: '0xA' })[0]).toBe('a,,,5,')
})

test.each([
  ['a, b', '"a, b"'],
  ['say "a"', '"say ""a"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "\t'=1"],
  [' =1+1', " '=1+1"],
  ['\u00a0\u00a0@x', "\u00a0\u00a0'@x"],
  ['\uff1d1', "'\uff1d1"],
  [';=1+1', `";'=1+1"`],
  ['a; =1;-b', `"a; '=1;'-b"`],
  ['a;b', '"a;b"'],
  [['a;=1'], '"[""a\\u003b=1""]"'],
  ['=HYPERLINK("https://x.org","a")', `"'=HYPERLINK(""https://x.org"",""a"")"`],
  ['-1.5', '-1.5'],
  [-0.5, '-0.5'],
  [false, 'false'],
  [0, '0'],
])('behavior: the cell of %j is %s', (value, cell) => {
  expect(csvRows(LIST, [{ name: value }], {})).toBe(`${cell},,,,\r\n`)
})

/** Amounts that no token of their row counts: a keeper's are in wei. */
const OF_NO_TOKEN = ['orderIndex', 'spentToday', 'spentThisHour', 'maxSpendPerHour']

test('behavior: every amount of every list names its token', () => {
  const lists = routes.flatMap((route) => csvListOf(route) ?? [])
  expect(lists.map(({ rows }) => rows)).toEqual(
    expect.arrayContaining(['chains', 'tokens', 'orders', 'vaults', 'events', 'deliveries']),
  )
  const open = lists.flatMap(({ columns }) =>
    columns.filter(({ isAmount, amountOf }) => isAmount && !amountOf).map(({ name }) => name),
  )
  expect([...new Set(open)]).toEqual(OF_NO_TOKEN)
})

test('behavior: what is no list has no table', () => {
  const withTable = routes.filter((route) => csvListOf(route)).map(({ path }) => path)
  expect(withTable).not.toContain('/v3/core/authorization')
  expect(withTable).not.toContain('/v1/transit/orders/{orderId}')
  expect(withTable).toContain('/v1/core/chains')
})

test.each([
  [undefined, null],
  ['*/*', null],
  ['text/*', null],
  ['application/json', null],
  ['text/csv', { hasBom: false }],
  ['TEXT/CSV; charset=utf-8', { hasBom: false }],
  ['text/csv, */*;q=0.1', { hasBom: false }],
  ['text/csv;q=0.5, application/json', null],
  ['text/csv, application/json;q=0.9', { hasBom: false }],
  ['text/csv;q=0', null],
  ['text/csv;q=x', null],
  ['text/csv; header=present; BOM=1', { hasBom: true }],
  ['text/csv; bom=0', { hasBom: false }],
])('behavior: Accept %s', (accept, csv) => {
  expect(wantedCsv(accept)).toEqual(csv)
})
