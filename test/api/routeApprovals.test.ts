import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { insertFacts } from '../support/testIndex.ts'

type Row = {
  chain_id: number
  block_number: number
  block_timestamp: number
  transaction_hash: Hex
  log_index: number
  destination_eid: number
  offer_asset: Hex
  want_asset: Hex
  approved: boolean
}

const START = 1_700_000_000
const UNKNOWN_EID = 39_999

let api: TestApi
const rows: Row[] = []
beforeAll(async () => {
  api = await startTestApi()
  // Several logs per transaction, several blocks per second, both chains.
  for (let index = 0; index < 40; index += 1)
    await add({ block_timestamp: START + Math.floor(index / 6), log_index: index % 2 })
  await add({ block_timestamp: START + 2, destination_eid: UNKNOWN_EID, approved: false })
})
afterAll(() => api?.stop())

describe('all route approvals', () => {
  testPageLaws(() => ({
    fetch: list(),
    matching: () => ordered(() => true),
    insert: insertAround,
    others: { 'a filter': list('approved = true') },
  }))
})

describe('the approvals of one station', () => {
  testPageLaws(() => ({
    fetch: list('sourceChain = 1 AND approved = true'),
    matching: () => ordered((row) => row.chain_id === 1 && row.approved),
    insert: insertAround,
    others: { 'no filter': list(), 'another filter': list('sourceChain = 1') },
  }))
})

test('default: a row has the values of its event, and OpenAPI describes it', async () => {
  const url = `${api.url}/v1/transit/routeApprovals?filter=${encodeURIComponent('approved = false')}`
  const response = await fetch(url)
  const body = (await response.json()) as { routeApprovals: unknown[] }
  const row = rows.find(({ approved }) => !approved)
  const offered = getAddress(`0x${'a1'.repeat(20)}`)
  expect(body).toEqual({
    routeApprovals: [
      {
        id: `${row?.chain_id}-${row?.transaction_hash}-${row?.log_index}`,
        sourceChainId: row?.chain_id,
        destinationChainId: null,
        destinationChainEID: UNKNOWN_EID,
        offerAsset: getAddress(`0x${'a1'.repeat(20)}`),
        wantAsset: getAddress(`0x${'b2'.repeat(20)}`),
        approved: false,
        timestamp: row?.block_timestamp,
        txHash: row?.transaction_hash,
      },
    ],
    nextPageToken: null,
    // The chain of the token on the destination is not known.
    tokenMetadata: {
      [`1:${offered}`]: expect.objectContaining({ symbol: 'OFF', decimals: '6' }),
      [offered]: expect.objectContaining({ chain_id: '1' }),
    },
  })
  expect(undescribed(url, response.status, body)).toEqual([])
})

function list(filter?: string): PageFetcher {
  return async ({ pageSize, pageToken }) => {
    const query = new URLSearchParams({
      pageSize: String(pageSize),
      ...(filter ? { filter } : {}),
      ...(pageToken === undefined ? {} : { pageToken }),
    })
    const response = await fetch(`${api.url}/v1/transit/routeApprovals?${query}`)
    const body = (await response.json()) as {
      routeApprovals?: { id: string }[]
      nextPageToken?: string | null
      error?: { details?: { reason?: string }[] }
    }
    return {
      status: response.status,
      reason: body.error?.details?.at(-1)?.reason ?? null,
      keys: (body.routeApprovals ?? []).map(({ id }) => id),
      nextPageToken: body.nextPageToken ?? null,
    }
  }
}

async function add(changes: Partial<Row>) {
  const made = rows.length
  const row: Row = {
    chain_id: made % 3 === 0 ? 4663 : 1,
    block_number: 100 + made,
    block_timestamp: START,
    transaction_hash: `0x${(made * 7919 + 1).toString(16).padStart(64, '0')}`,
    log_index: 0,
    destination_eid: 30_101,
    offer_asset: `0x${'a1'.repeat(20)}`,
    want_asset: `0x${'b2'.repeat(20)}`,
    approved: true,
    ...changes,
  }
  rows.push(row)
  await insertFacts(api.context.sql, 'transit_route_approval', [row])
}

/** At both ends of the list, and at a time that other rows share. */
async function insertAround() {
  const times = rows.map(({ block_timestamp }) => block_timestamp)
  for (const time of [Math.min(...times) - 1, Math.max(...times) + 1, START + 3])
    await add({ block_timestamp: time })
}

/** Newest first, in the list's order: time, chain, block, log. */
function ordered(matches: (row: Row) => boolean): string[] {
  const order: (keyof Row)[] = ['block_timestamp', 'chain_id', 'block_number', 'log_index']
  const compare = (a: Row, b: Row) =>
    order.map((key) => Number(b[key]) - Number(a[key])).find((difference) => difference !== 0) ?? 0
  return rows
    .filter(matches)
    .sort(compare)
    .map((row) => `${row.chain_id}-${row.transaction_hash}-${row.log_index}`)
}
