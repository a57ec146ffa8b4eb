import type { Address } from 'viem'
import type { SharedServices } from '../../context.ts'
import { pageOfRows } from '../../page/pageOfRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { selectDeployments } from '../vaults/deploymentFilter.ts'
import { apy } from './apy.ts'
import { neverUpdatedRates, placeKey } from './neverUpdatedRates.ts'
import { type SeriesFacts, type SeriesPlace, selectSeries } from './selectSeries.ts'
import { apyWindowParam } from './seriesParameters.ts'
import {
  refused,
  type SeriesCursor,
  type SeriesParams,
  type SeriesQuery,
  seriesQuery,
} from './seriesQuery.ts'

export type VaultApyParams = SeriesParams & {
  /** The seconds before a row over which growth is measured, or the vault's age if that is less. */
  apyWindow: number
}

/** The growth of a vault's rate up to a time. Addresses are lower case, times Unix seconds. */
export type VaultApy = {
  vaultAddress: Address
  chainId: number
  timestamp: number
  interval: number
  /** In percent; null under the conditions of the function `apy`. */
  apy: string | null
  windowSeconds: number
  startTime: number
  /** Base units per whole share. */
  startRate: bigint
  endRate: bigint
  /** The block in which each rate was set; null for the vault's first rate. */
  startBlock: bigint | null
  endBlock: bigint | null
}
export type VaultApyPage = { vaultApys: VaultApy[]; nextPageToken: string | null }

type Row = {
  windowSeconds: bigint
  startRate: string | null
  startBlock: bigint | null
  endRate: string | null
  endBlock: bigint | null
}

/** The series' arguments, checked. Throws as `seriesQuery` does. */
export function vaultApyQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: VaultApyParams,
): SeriesQuery {
  return seriesQuery(context, params, {
    list: 'vaultApys',
    bound: [params.apyWindow],
    violations: refused('apyWindow', apyWindowParam, params.apyWindow),
  })
}

/**
 * The growth of each vault's rate up to each time. A vault without an indexed rate is left out while its
 * chain does not answer. Throws the errors of `vaultApyQuery`, or `INDEX_CATCHING_UP`.
 */
export async function listVaultApys(
  context: EarnContext,
  params: VaultApyParams,
): Promise<VaultApyPage> {
  const query = vaultApyQuery(context, params)
  const { pageSize, interval } = query
  const deployments = selectDeployments(context.addressBook, query.filter)
  const selection = { query, deployments, limit: pageSize + 1 }
  const found = await selectSeries<Row>(context, selection, apyFacts(params.apyWindow))
  const { items, nextPageToken } = pageOfRows(
    context,
    query,
    found,
    ({ at, chainId, vault }): SeriesCursor => [Number(at), chainId, vault],
  )
  const rates = await neverUpdatedRates(
    context,
    items.filter(({ endRate }) => endRate === null),
  )
  return {
    vaultApys: items.flatMap((row) => toVaultApy(row, interval, rates) ?? []),
    nextPageToken,
  }
}

/**
 * The growth of a vault younger than the window is measured from its first second. That is no full hour,
 * so its rate is the one set in that second, or else the opening rate.
 */
function apyFacts(apyWindow: number): SeriesFacts {
  return (sql) => ({
    columns: sql`
      least(l.at - l.first_timestamp, ${apyWindow}::bigint) as "windowSeconds",
      coalesce(s.rate, b.rate, l.opening_rate) as "startRate",
      coalesce(s.rate_block, b.rate_block) as "startBlock",
      coalesce(e.rate, l.opening_rate) as "endRate", e.rate_block as "endBlock"`,
    joins: sql`
      left join lateral (
        select * from read.vault_at(l.chain_id, l.vault, l.at) offset 0
      ) e on true
      left join lateral (
        select * from read.vault_at(l.chain_id, l.vault, l.at - ${apyWindow}::bigint)
        where l.at - ${apyWindow}::bigint >= l.first_timestamp offset 0
      ) s on true
      left join lateral (
        select r.new_rate as rate, r.block_number as rate_block from read.exchange_rate r
        where l.at - ${apyWindow}::bigint < l.first_timestamp and r.chain_id = l.chain_id
          and r.vault = l.vault and r.block_timestamp = l.first_timestamp and r.is_in_use
        order by r.block_number desc, r.log_index desc limit 1
      ) b on true`,
  })
}

function toVaultApy(
  row: SeriesPlace & Row,
  interval: number,
  rates: Map<string, bigint>,
): VaultApy | null {
  const rate = rates.get(placeKey(row))
  const startRate = row.startRate === null ? rate : BigInt(row.startRate)
  const endRate = row.endRate === null ? rate : BigInt(row.endRate)
  if (startRate === undefined || endRate === undefined) return null
  const timestamp = Number(row.at)
  const windowSeconds = Number(row.windowSeconds)
  return {
    vaultAddress: row.vault,
    chainId: row.chainId,
    timestamp,
    interval,
    windowSeconds,
    startTime: timestamp - windowSeconds,
    startRate,
    endRate,
    startBlock: row.startBlock,
    endBlock: row.endBlock,
    apy: apy({ startRate, endRate, windowSeconds }),
  }
}
