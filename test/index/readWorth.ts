import type { Address } from 'viem'
import { expect } from 'vitest'
import { ask } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import type { VaultTvlBeyond, VaultTvlRow } from '../support/vaultOracle/answers.ts'

type Tvl = Pick<VaultTvlRow, 'timestamp' | 'tvl' | 'tvlAsset'> & VaultTvlBeyond
type Apy = {
  timestamp: string
  startTime: string
  windowSeconds: number
  startRate: string
  endRate: string
  startBlock: number | null
  endBlock: number | null
  apy: string
  isCurrent: boolean
  windows: Record<'day' | 'week' | 'month' | 'sinceLaunch', string | null> | null
  grossApy: string | null
}

type Row = { vaultAddress: Address; chainId: number; timestamp: string; tvl: string }

type Api = { url: string }

/** Rows of `vaultTvls` over GraphQL, for these arguments. */
export async function readTvls(api: Api, args: string): Promise<Tvl[]> {
  const selection = 'timestamp tvl tvlAsset supply rate holders supplyBlock rateBlock isCurrent'
  const data = await query(api, `vaultTvls(${args}) { vaultTvls { ${selection} } }`)
  return (data.vaultTvls as { vaultTvls: Tvl[] }).vaultTvls
}

/** Rows of `vaultApys` over GraphQL, for these arguments. */
export async function readApys(api: Api, args: string): Promise<Apy[]> {
  const selection =
    'timestamp startTime windowSeconds startRate endRate startBlock endBlock apy isCurrent windows { day week month sinceLaunch } grossApy'
  const data = await query(api, `vaultApys(${args}) { vaultApys { ${selection} } }`)
  return (data.vaultApys as { vaultApys: Apy[] }).vaultApys
}

/** A page of `vaultTvls` over REST. */
export function getTvls({ url }: Api, parameters: Record<string, string>) {
  const search = new URLSearchParams(parameters)
  return getJson<{ vaultTvls: Row[] }>(`${url}/v2/earn/vaultTvls?${search}`)
}

/** All rows of `vaultTvls` over REST, three per page: the rows of now are on several pages. */
export async function walkTvls(api: Api, orderByTimestamp: 'asc' | 'desc'): Promise<Row[]> {
  const rows: Row[] = []
  let pageToken: string | null = null
  do {
    const { status, body } = await getTvls(api, {
      orderByTimestamp,
      pageSize: '3',
      ...(pageToken ? { pageToken } : {}),
    })
    expect(status).toBe(200)
    rows.push(...body.vaultTvls)
    pageToken = body.nextPageToken
  } while (pageToken)
  return rows
}

/** A user's positions over REST. */
export function getPositions({ url }: Api, userAddress: Address, filter = '') {
  const search = new URLSearchParams({ userAddress, filter })
  return getJson<{
    userPositions: Record<string, unknown>[]
    tokenMetadata: Record<string, object>
  }>(`${url}/v2/earn/userPositions?${search}`)
}

async function query({ url }: Api, field: string): Promise<Record<string, unknown>> {
  const response = await ask(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${field} }` }),
  })
  const { data, errors } = (await response.json()) as {
    data: Record<string, unknown>
    errors?: unknown
  }
  expect(errors).toBe(undefined)
  return data
}
