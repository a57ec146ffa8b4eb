import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { getJson } from '../support/getJson.ts'
import { bookOfManyVaults } from '../support/manyVaults.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'

/** The lists with a row per deployment: their pages, and that GraphQL and REST answer the same. */

const types = { filter: 'String', pageSize: 'Int!', pageToken: 'String' }
const CAPS: Field = {
  path: '/v2/earn/supplyCaps',
  field: 'supplyCaps',
  types,
  selection: `{ supplyCaps { vaultAddress chainId totalSupplyInBase supplyCap percentageFilled
    stale asOf }
    nextPageToken }`,
}
const COMPOSITIONS: Field = {
  path: '/v2/earn/vaultCompositions',
  field: 'vaultCompositions',
  types,
  selection: `{ vaultCompositions { vaultAddress chainId timestamp stale asOf components {
    assetAddress amount value valueAsset weight positionKind instrumentType positionRef { type id }
  } } nextPageToken tokenMetadata }`,
}

let started: TestWorld
let api: TestApi
let addressBook: AddressBook
beforeAll(async () => {
  started = await startTestWorld([1, 999, 11_155_111], { withVaults: true })
  const models = [
    { name: 'Harbor Prime', chainId: 1 },
    { name: 'Harbor Gold', chainId: 999 },
  ]
  addressBook = await bookOfManyVaults(started.world, { models, count: 8 })
  api = await startTestApi({ world: started.world, addressBook })
})
afterAll(async () => {
  await api?.stop()
  await started?.stop()
})

/** The expected rows, in their order. */
function keysOf(isListed: (entry: { inDeprecation: boolean }) => boolean): string[] {
  return addressBook.vaults
    .flatMap(({ deployments }) => deployments)
    .filter(isListed)
    .toSorted((a, b) => a.chainId - b.chainId || (a.vault.address < b.vault.address ? -1 : 1))
    .map(({ chainId, vault }) => `${chainId} ${vault.address}`)
}

type Row = { chainId: number; vaultAddress: string }
type Body = Record<string, Row[]> & { nextPageToken: string | null }

const fetchOf =
  ({ path, field }: Field, filter?: string): PageFetcher =>
  async (page) => {
    const { pageSize, ...rest } = page
    const query = new URLSearchParams({
      pageSize: String(pageSize),
      ...rest,
      ...(filter ? { filter } : {}),
    })
    const { status, reason, body } = await getJson<Body>(`${api.url}${path}?${query}`)
    const rows: Row[] = body[field] ?? []
    const keys = rows.map((row) => `${row.chainId} ${row.vaultAddress.toLowerCase()}`)
    return { status, reason, keys, nextPageToken: body.nextPageToken }
  }

describe('supplyCaps', () => {
  testPageLaws(
    () => ({
      fetch: fetchOf(CAPS),
      matching: () => keysOf(({ inDeprecation }) => !inDeprecation),
      others: { compositions: fetchOf(COMPOSITIONS), filtered: fetchOf(CAPS, 'chainId != 5') },
    }),
    { isGrowing: false },
  )
})

describe('vaultCompositions', () => {
  testPageLaws(
    () => ({
      fetch: fetchOf(COMPOSITIONS),
      matching: () => keysOf(() => true),
      others: { caps: fetchOf(CAPS), filtered: fetchOf(COMPOSITIONS, 'chainId != 5') },
    }),
    { isGrowing: false },
  )
})

const CASES: [name: string, variables: Record<string, unknown>, status: number][] = [
  ['all', { pageSize: 100 }, 200],
  ['a page', { pageSize: 2, filter: 'chainId = 1' }, 200],
  ['no vault', { pageSize: 2, filter: `vaultAddress = ${zeroAddress}` }, 200],
  ['a filter that is none', { pageSize: 2, filter: 'chainId = one' }, 400],
  ['a key that is none', { pageSize: 2, filter: 'name = x' }, 400],
  ['a page size of 0', { pageSize: 0 }, 400],
  ['a page token that is none', { pageSize: 2, pageToken: 'abc' }, 400],
]
describe.each([CAPS, COMPOSITIONS])('$field over GraphQL', (field) => {
  test.each(CASES)('behavior: %s', async (_, variables, status) => {
    const { rest, graphql } = await askBothDoors(api.url, field, variables)
    expect(rest.status).toBe(status)
    expect(graphql).toEqual(rest)
  })
})
