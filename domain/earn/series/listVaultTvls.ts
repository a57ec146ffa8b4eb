import type { Address } from 'viem'
import type { SharedServices } from '../../context.ts'
import { pageOfRows } from '../../page/pageOfRows.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf } from '../vaults/baseOf.ts'
import { selectDeployments } from '../vaults/deploymentFilter.ts'
import { type EarnDeployment, getDeployment } from '../vaults/deployments.ts'
import { readDeploymentStates } from '../vaults/liveDeployments.ts'
import { assetsFor } from '../vaults/shareMath.ts'
import { neverUpdatedRates, placeKey, readAny } from './neverUpdatedRates.ts'
import { type SeriesFacts, type SeriesPlace, selectSeries } from './selectSeries.ts'
import {
  type SeriesCursor,
  type SeriesParams,
  type SeriesQuery,
  seriesQuery,
} from './seriesQuery.ts'

export type VaultTvlParams = SeriesParams & {
  /** Adds a row for now to each vault, read from its chain. */
  includeCurrent: boolean
}

/** The value of all shares of a vault at a time. Addresses are lower case, times Unix seconds. */
export type VaultTvl = {
  vaultAddress: Address
  chainId: number
  timestamp: number
  interval: number
  /** Whole units of the base, with all of its decimals. */
  tvl: string
  tvlAsset: string
  /** Base units of the share token. */
  supply: bigint
  /** Base units per whole share. */
  rate: bigint
  /** Null in a row read from the chain, which has no count of holders. The blocks are null there too. */
  holders: number | null
  /** The last block in which shares were minted or burnt; null before the first. */
  supplyBlock: bigint | null
  /** The block in which the rate was set; null for the vault's first rate. */
  rateBlock: bigint | null
  isCurrent: boolean
}
export type VaultTvlPage = { vaultTvls: VaultTvl[]; nextPageToken: string | null }

type Worth = Pick<
  VaultTvl,
  'timestamp' | 'supply' | 'holders' | 'supplyBlock' | 'rateBlock' | 'isCurrent'
> &
  Omit<SeriesPlace, 'at'> & { rate: bigint | null }

/** The series' arguments, checked. Throws as `seriesQuery` does. */
export function vaultTvlQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: VaultTvlParams,
): SeriesQuery {
  return seriesQuery(context, params, { list: 'vaultTvls', bound: [params.includeCurrent] })
}

/**
 * The value of each vault at each time, and now. Rows that need a read of a chain are left out while it
 * does not answer. Throws the errors of `vaultTvlQuery`, or `INDEX_CATCHING_UP`.
 */
export async function listVaultTvls(
  context: EarnContext,
  params: VaultTvlParams,
): Promise<VaultTvlPage> {
  const query = vaultTvlQuery(context, params)
  const { interval } = query
  const deployments = selectDeployments(context.addressBook, query.filter)
  const found = await readWorths(context, {
    query,
    deployments,
    includeCurrent: params.includeCurrent,
  })
  const { items, nextPageToken } = pageOfRows(context, query, found, cursorAt)
  const rates = await neverUpdatedRates(
    context,
    items.filter(({ rate }) => rate === null),
  )
  return {
    vaultTvls: items.flatMap((worth) => {
      const rate = worth.rate ?? rates.get(placeKey(worth))
      return rate === undefined ? [] : [toVaultTvl(context, { ...worth, rate }, interval)]
    }),
    nextPageToken,
  }
}

type Wanted = { query: SeriesQuery; deployments: EarnDeployment[]; includeCurrent: boolean }

/**
 * The page, and one row more if there is a next page. The rows for now count as one moment, by chain and
 * vault, though the times of their blocks differ, so that their order is the same on every page.
 */
async function readWorths(
  context: EarnContext,
  { query, deployments, includeCurrent }: Wanted,
): Promise<Worth[]> {
  const { cursor, pageSize, orderByTimestamp } = query
  const limit = pageSize + 1
  const isAmongNow = cursor?.[0] === 'now'
  const readNow = () =>
    includeCurrent ? readCurrent(context, deployments.filter(isAfter(cursor))) : []
  const readPast = (most: number) => selectWorths(context, { query, deployments, limit: most })
  if (orderByTimestamp === 'desc') {
    const now = cursor === null || isAmongNow ? await readNow() : []
    return [...now, ...(await readPast(Math.max(limit - now.length, 0)))]
  }
  const past = await readPast(isAmongNow ? 0 : limit)
  return past.length < limit ? [...past, ...(await readNow())] : past
}

function isAfter(cursor: SeriesCursor | null) {
  const [time, chainId, vault] = cursor ?? [0]
  return (entry: EarnDeployment) =>
    time !== 'now' ||
    entry.chainId > Number(chainId) ||
    (entry.chainId === chainId && entry.vault > String(vault))
}

async function readCurrent(context: EarnContext, deployments: EarnDeployment[]): Promise<Worth[]> {
  const live = await readAny(readDeploymentStates, context, deployments)
  return live.map(({ chainId, vault, state }) => ({
    chainId,
    vault,
    timestamp: state.blockTimestamp,
    isCurrent: true,
    supply: state.totalSupply,
    rate: state.exchangeRate,
    holders: null,
    supplyBlock: null,
    rateBlock: null,
  }))
}

type Row = {
  supply: string
  rate: string | null
  holders: number
  supplyBlock: bigint | null
  rateBlock: bigint | null
}

const tvlFacts: SeriesFacts = (sql) => ({
  columns: sql`v.supply, v.holders, v.supply_block as "supplyBlock",
    coalesce(v.rate, l.opening_rate) as rate, v.rate_block as "rateBlock"`,
  joins: sql`
    cross join lateral (select * from read.vault_at(l.chain_id, l.vault, l.at) offset 0) v`,
})

async function selectWorths(
  context: EarnContext,
  selection: Parameters<typeof selectSeries>[1],
): Promise<Worth[]> {
  const rows = await selectSeries<Row>(context, selection, tvlFacts)
  return rows.map(({ at, supply, rate, ...row }) => ({
    ...row,
    timestamp: Number(at),
    isCurrent: false,
    supply: BigInt(supply),
    rate: rate === null ? null : BigInt(rate),
  }))
}

function cursorAt({ isCurrent, timestamp, chainId, vault }: Worth): SeriesCursor {
  return [isCurrent ? 'now' : timestamp, chainId, vault]
}

function toVaultTvl(
  context: EarnContext,
  { vault, ...worth }: Worth & { rate: bigint },
  interval: number,
): VaultTvl {
  const { chainId, supply, rate, timestamp, holders, supplyBlock, rateBlock, isCurrent } = worth
  const { decimals, symbol } = baseOf(
    context,
    getDeployment(context.addressBook, worth.chainId, vault),
  )
  return {
    vaultAddress: vault,
    chainId,
    timestamp,
    interval,
    supply,
    rate,
    holders,
    supplyBlock,
    rateBlock,
    isCurrent,
    tvl: wholeUnits(assetsFor(supply, { rate, decimals }), decimals),
    tvlAsset: symbol,
  }
}
