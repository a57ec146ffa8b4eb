import type { Address } from 'viem'
import { memoizeByRows } from '../../cache/memoizeByRows.ts'
import { INDEXED, type RowAge } from '../../chain/chainRows.ts'
import { type Page, pageOfRows } from '../../page/pageOfRows.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf, shareDecimalsOf } from '../vaults/baseOf.ts'
import { selectDeployments } from '../vaults/deploymentFilter.ts'
import { getDeployment } from '../vaults/deployments.ts'
import type { LiveDeployment } from '../vaults/liveDeployments.ts'
import { deploymentKey, neverUpdatedRates, type RowRate } from '../vaults/neverUpdatedRates.ts'
import { assetsFor } from '../vaults/shareMath.ts'
import { inOrder, type PastAndNow, readWithCurrent, seriesCursor } from './currentRows.ts'
import { type SeriesFacts, type SeriesPlace, selectSeries } from './selectSeries.ts'
import { type SeriesParams, type SeriesQuery, seriesQuery } from './seriesQuery.ts'

export type VaultTvlParams = SeriesParams & {
  /** Adds a current row to each vault, read from its chain. */
  includeCurrent: boolean
}

/** The value of all shares of a vault at a time. Addresses are lower case, times Unix seconds. */
export type VaultTvl = RowAge & {
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
export type VaultTvlPage = Page<'vaultTvls', VaultTvl>

type Worth = Pick<
  VaultTvl,
  'timestamp' | 'supply' | 'holders' | 'supplyBlock' | 'rateBlock' | 'isCurrent' | 'stale' | 'asOf'
> &
  Omit<SeriesPlace, 'at'> & { rate: bigint | null }

/** The series' arguments, checked. Throws as `seriesQuery` does. */
export const vaultTvlQuery = seriesQuery<VaultTvlParams>({
  list: 'vaultTvls',
  bound: ({ includeCurrent }) => [includeCurrent],
})

/**
 * The value of each vault at each time, and now. Rows that need a read of a chain fail like in
 * `readDeploymentStates`. Throws the errors of `vaultTvlQuery`, or `INDEX_CATCHING_UP`.
 */
export async function listVaultTvls(
  context: EarnContext,
  params: VaultTvlParams,
): Promise<VaultTvlPage> {
  const query = vaultTvlQuery(context, params)
  const deployments = selectDeployments(context.addressBook, query.filter)
  const { past, now } = await readWithCurrent(context, {
    query,
    deployments,
    includeCurrent: params.includeCurrent,
    readPast: (limit) => selectSeries<WorthRow>(context, { query, deployments, limit }, tvlFacts),
    readNow: (live) => live.map(worthNow),
  })
  const rates = await neverUpdatedRates(
    context,
    inOrder<PastWorth | Worth>(query, { past, now })
      .slice(0, query.pageSize)
      .filter(({ rate }) => rate === null),
  )
  return pageOf(past, { now, rates }, () => toPage(context, query, { past, now, rates }))
}

type Read = PastAndNow<PastWorth, Worth> & { rates: Map<string, RowRate> }

const pageOf = memoizeByRows<Read['past'], Omit<Read, 'past'>, VaultTvlPage>()

function toPage(
  context: EarnContext,
  query: SeriesQuery,
  { past, now, rates }: Read,
): VaultTvlPage {
  const { interval } = query
  const found = inOrder(query, { past: past.map(toWorth), now })
  const { vaultTvls, nextPageToken } = pageOfRows(context, query, {
    name: 'vaultTvls',
    rows: found,
    place: seriesCursor,
  })
  return {
    vaultTvls: vaultTvls.flatMap((worth) => {
      if (worth.rate !== null)
        return [toVaultTvl(context, { ...worth, rate: worth.rate }, interval)]
      const read = rates.get(deploymentKey(worth))
      return read ? [toVaultTvl(context, { ...worth, ...read }, interval)] : []
    }),
    nextPageToken,
  }
}

function worthNow({ chainId, vault, state, stale, asOf }: LiveDeployment): Worth {
  return {
    chainId,
    vault,
    timestamp: state.blockTimestamp,
    isCurrent: true,
    supply: state.totalSupply,
    rate: state.exchangeRate,
    holders: null,
    supplyBlock: null,
    rateBlock: null,
    stale,
    asOf,
  }
}

type WorthRow = {
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

type PastWorth = SeriesPlace & WorthRow

function toWorth({ at, supply, rate, ...row }: PastWorth): Worth {
  return {
    ...row,
    ...INDEXED,
    timestamp: Number(at),
    isCurrent: false,
    supply: BigInt(supply),
    rate: rate === null ? null : BigInt(rate),
  }
}

function toVaultTvl(
  context: EarnContext,
  { vault, ...worth }: Worth & { rate: bigint },
  interval: number,
): VaultTvl {
  const { chainId, supply, rate, timestamp, holders, supplyBlock, rateBlock, isCurrent } = worth
  const { stale, asOf } = worth
  const deployment = getDeployment(context.addressBook, worth.chainId, vault)
  const base = baseOf(context, deployment)
  const decimals = shareDecimalsOf(context, deployment)
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
    stale,
    asOf,
    tvl: wholeUnits(assetsFor(supply, { rate, decimals }), base.decimals),
    tvlAsset: base.symbol,
  }
}
