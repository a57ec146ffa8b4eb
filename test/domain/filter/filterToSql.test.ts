import fc from 'fast-check'
import type { Fragment, Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import type { FilterValue } from '../../../domain/filter/filter.ts'
import { filterToJsonPath } from '../../../domain/filter/filterToJsonPath.ts'
import { type FilterColumns, filterToSql } from '../../../domain/filter/filterToSql.ts'
import { matchesFilter } from '../../../domain/filter/matchesFilter.ts'
import { parseFilter } from '../../../domain/filter/parseFilter.ts'
import {
  arbitraryFilterText,
  EXAMPLE_FILTER_KEYS,
  EXAMPLE_VALUES,
} from '../../support/arbitraryFilter.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'

type Row = { id: number } & Record<string, FilterValue | null>

let database: TestDatabase
let sql: Sql
let rows: Row[]

const columnOf = (connection: Sql): FilterColumns => ({
  asset: connection`asset`,
  chain: connection`chain`,
  status: connection`status`,
  txHash: (operator, value) =>
    connection`(tx_hash is not distinct from ${String(value)}) = ${operator === '='}`,
  index: (operator, value) =>
    connection`(index is not distinct from ${String(value)}::numeric) = ${operator === '='}`,
  isKyt: connection`is_kyt`,
  name: connection`name`,
})

function randomRows(): Row[] {
  const value = <T>(values: T[]) => fc.option(fc.constantFrom(...values))
  const row = fc.record({
    asset: value(EXAMPLE_VALUES.asset),
    chain: value(EXAMPLE_VALUES.chain),
    status: value(EXAMPLE_VALUES.status),
    txHash: value(EXAMPLE_VALUES.txHash),
    index: value(EXAMPLE_VALUES.index),
    isKyt: value(EXAMPLE_VALUES.isKyt),
    name: value(EXAMPLE_VALUES.name),
  })
  return fc.sample(row, { numRuns: 200, seed: 1 }).map((sampled, id) => ({ ...sampled, id }))
}

async function matching(text: string): Promise<number[]> {
  const filter = parseFilter(text, EXAMPLE_FILTER_KEYS)
  return select(filter ? filterToSql(sql, filter, columnOf(sql)) : sql`true`)
}

function matchingPath(text: string): Promise<number[]> {
  const filter = parseFilter(text, EXAMPLE_FILTER_KEYS)
  const path = filter && filterToJsonPath(filter)
  return select(sql`jsonb_path_match(
    jsonb_build_object('asset', asset, 'chain', chain, 'status', status, 'txHash', tx_hash,
      'index', index::text, 'isKyt', is_kyt, 'name', name),
    ${path}::jsonpath)`)
}

async function select(condition: Fragment): Promise<number[]> {
  const found = await sql<{ id: number }[]>`select id from row where ${condition} order by id`
  return found.map(({ id }) => id)
}

describe('filterToSql and filterToJsonPath', () => {
  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 1, prepare: false })
    await sql`create temporary table row (
      id integer, asset text, chain integer, status text, tx_hash text, index numeric, is_kyt boolean, name text)`
    rows = randomRows()
    for (const { txHash = null, isKyt = null, ...columns } of rows)
      await sql`insert into row ${sql({ ...columns, tx_hash: txHash, is_kyt: isKyt })}`
  })
  afterAll(async () => {
    await sql.end()
    await database.drop()
  })

  test('behavior: finds exactly the rows that the filter describes', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFilterText, async (text) => {
        const filter = parseFilter(text, EXAMPLE_FILTER_KEYS)
        const expected = rows.filter((row) => filter && matchesFilter(filter, row))
        const ids = expected.map(({ id }) => id)
        expect(await matching(text)).toEqual(ids)
        expect(await matchingPath(text)).toEqual(ids)
      }),
      { numRuns: 500 },
    )
  })

  test('behavior: the longest chain runs', async () => {
    const text = Array.from({ length: 205 }, () => 'name=a').join(' OR ')
    expect(await matching(text)).toEqual([])
    expect(await matchingPath(text)).toEqual([])
  })

  test('behavior: an integer beyond the column matches nothing', async () => {
    expect(await matching('chain = 9007199254740991')).toEqual([])
    expect(await matchingPath('chain = 9007199254740991')).toEqual([])
  })

  test('error: a key without a column', () => {
    const filter = parseFilter('chain = 1', EXAMPLE_FILTER_KEYS)
    expect(() => filter && filterToSql(sql, filter, {})).toThrow('Invariant(filterToSql)')
  })
})
