import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { paramViolations } from '../../error/paramViolations.ts'
import type { FieldViolation } from '../../error/serviceError.ts'
import { headsColumn, headsInFirst, type RowWithHeads, takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { type AtHeads, ofRowsAlone } from '../../index/indexReads.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { pageKey } from '../../page/pageKey.ts'
import { type Page, pageOfRows } from '../../page/pageOfRows.ts'
import { backwardsViolations } from '../../page/timeRange.ts'
import type { EarnContext } from '../earnContext.ts'
import { intervalParam } from '../series/seriesParameters.ts'
import { deploymentsOfVault } from '../vaults/deployments.ts'
import { DAY_SECONDS, HOUR_SECONDS, partsOf } from './summedPeriods.ts'

/** Times are Unix seconds. */
export type WithdrawalVolumeParams = Omit<ListParams, 'filter'> & {
  vaultAddress: Address
  /** Exclusive, while `endTime` is inclusive. */
  startTime: number
  endTime: number
  chainId?: number | undefined
  /** Seconds. One row for each multiple of it; without it one row for the whole range. */
  interval?: number | undefined
}

/** The paid withdrawals of a vault in one asset and period, summed. Shares and assets are base units. */
export type WithdrawalVolume = {
  vaultAddress: Address
  chainId: number
  assetAddress: Address
  startTime: number
  endTime: number
  orderCount: number
  shareAmount: bigint
  assetAmount: bigint
}
export type WithdrawalVolumePage = Page<'withdrawalVolumes', WithdrawalVolume>

type Cursor = [startTime: number, chainId: number, asset: Address]

type Row = RowWithHeads &
  Omit<WithdrawalVolume, 'shareAmount' | 'assetAmount'> & {
    shareAmount: string
    assetAmount: string
  }

/** The violations in the given parameters. */
export function withdrawalVolumeViolations(
  params: Partial<WithdrawalVolumeParams>,
): FieldViolation[] {
  const { interval } = params
  return [
    ...paramViolations('interval', intervalParam.optional(), interval),
    ...backwardsViolations(params),
  ]
}

/** The parameters, checked. Throws `INVALID_PAGE_TOKEN` or `INVALID_FIELD`, naming all that is wrong. */
export const withdrawalVolumeQuery = listQuery<Cursor, WithdrawalVolumeParams>({
  list: 'withdrawalVolumes',
  keys: {},
  bound: ({ vaultAddress, startTime, endTime, chainId = null, interval = null }) => [
    vaultAddress,
    startTime,
    endTime,
    chainId,
    interval,
  ],
  violations: withdrawalVolumeViolations,
})

/**
 * The withdrawals of a vault, by period, chain and asset, both by queues and at once. Throws
 * `INVALID_FIELD`, `INVALID_PAGE_TOKEN`, `VAULT_NOT_FOUND`, `INDEX_CATCHING_UP`.
 */
export async function listWithdrawalVolumes(
  context: EarnContext,
  params: WithdrawalVolumeParams,
): Promise<WithdrawalVolumePage> {
  const query = withdrawalVolumeQuery(context, params)
  const { vaultAddress, chainId } = params
  const deployments = deploymentsOfVault(context.addressBook, vaultAddress, chainId)
  const chainIds = deployments.map((deployment) => deployment.chainId)
  const { progress, value } = await context.indexReads.read(pageKey(query), {
    select: () =>
      context.readIndex(({ sql }) => readVolumes(sql, { ...params, ...query, chainIds })),
    isSameAt: ofRowsAlone,
    kilobytes: (rows) => rows.length + 1,
  })
  await admitAnswer(context, progress, chainIds)
  return pageOfRows(context, query, {
    name: 'withdrawalVolumes',
    rows: value,
    place: ({ startTime, chainId, assetAddress }) => [startTime, chainId, assetAddress],
  })
}

async function readVolumes(sql: Sql, asked: Asked): Promise<AtHeads<WithdrawalVolume[]>> {
  const rows = await selectRows(sql, asked)
  const found = rows.filter(({ assetAddress }) => assetAddress !== null)
  return { heads: takeHeads(rows), chainIds: asked.chainIds, value: found.map(toVolume) }
}

type Asked = WithdrawalVolumeParams & ListQuery<Cursor> & { chainIds: number[] }

/** Sums of whole days and hours from the index, and single withdrawals for the hours cut by the range. */
function selectRows(sql: Sql, asked: Asked): Promise<Row[]> {
  const { vaultAddress: vault, startTime, endTime, interval = null, chainIds, cursor } = asked
  // Intervals before the page's first were on the pages before.
  const [from, cursorChain, cursorAsset] = cursor ?? [startTime, null, null]
  const ofDays = interval === null || interval % DAY_SECONDS === 0
  const longest = ofDays ? DAY_SECONDS : HOUR_SECONDS
  const { summed, single } = partsOf({ after: from, until: endTime }, ofDays)
  // An interval of a chain and asset has at most so many rows, so these are enough for a full page.
  const enoughRows = (asked.pageSize + 1) * Math.ceil((interval ?? longest) / longest)
  const order = sql`v.start_time, v.chain_id, v.asset`
  return sql<Row[]>`
    with progress as materialized (
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c
    ), page_end as materialized (
      select (until + ${interval}::bigint - 1) / ${interval}::bigint * ${interval}::bigint as at
      from unnest(${chainIds}::integer[]) asked (chain_id) cross join lateral (
        select p.until from read.withdrawal_period p
        where p.chain_id = asked.chain_id and p.vault = ${vault} and p.seconds = ${longest}
          -- The whole of the first interval is read, though part of it was on the page before.
          and p.until > ${from} + ${interval}::bigint and p.until <= ${endTime}
        order by p.until limit ${enoughRows}
      ) row
      order by until offset ${enoughRows - 1} limit 1
    ), asked as (
      select chain_id, coalesce((select at from page_end), ${endTime}) as page_end
      from unnest(${chainIds}::integer[]) asked (chain_id)
    ), paid as (
      select p.* from asked
      cross join unnest(
        ${summed.map(({ seconds }) => seconds)}::integer[],
        ${summed.map(({ after }) => after)}::bigint[], ${summed.map(({ until }) => until)}::bigint[]
      ) part (seconds, after, until)
      cross join lateral (
        select p.chain_id, p.asset, p.until as time, p.order_count, p.shares, p.assets
        from read.withdrawal_period p
        where p.chain_id = asked.chain_id and p.vault = ${vault} and p.seconds = part.seconds
          and p.until > part.after and p.until <= least(part.until, asked.page_end)
        -- Makes Postgres read each branch of the view by its index, and only the chains asked for.
        offset 0
      ) p
      union all
      select w.* from asked
      cross join unnest(
        ${single.map(({ after }) => after)}::bigint[], ${single.map(({ until }) => until)}::bigint[]
      ) part (after, until)
      cross join lateral (
        select w.chain_id, w.asset, w.block_timestamp as time, 1, w.shares, w.assets
        from read.withdrawal w
        where w.chain_id = asked.chain_id and w.vault = ${vault}
          and w.block_timestamp > part.after
          and w.block_timestamp <= least(part.until, asked.page_end)
        offset 0
      ) w
    ), volume as (
      select chain_id, asset,
        -- Without an interval its end is null, and greatest and least skip null.
        greatest(${startTime}::bigint, interval_end - ${interval}::bigint) as start_time,
        least(${endTime}::bigint, interval_end) as end_time,
        sum(order_count) as order_count, sum(shares) as shares, sum(assets) as assets
      from paid cross join lateral (
        select (time + ${interval}::bigint - 1) / ${interval}::bigint * ${interval}::bigint
          as interval_end
      ) i
      group by chain_id, asset, interval_end
    )
    select ${headsInFirst(sql, order)}, ${vault} as "vaultAddress", v.chain_id as "chainId",
      v.asset as "assetAddress", v.start_time::double precision as "startTime",
      v.end_time::double precision as "endTime", v.order_count::double precision as "orderCount",
      v.shares as "shareAmount", v.assets as "assetAmount"
    from progress left join (
      select * from volume
      where ${cursorChain}::integer is null
        or (start_time, chain_id, asset) > (${from}::bigint, ${cursorChain}, ${cursorAsset})
      order by start_time, chain_id, asset limit ${asked.pageSize + 1}
    ) v on true
    order by ${order}`
}

function toVolume({ heads: _, ...row }: Row): WithdrawalVolume {
  return {
    ...row,
    shareAmount: BigInt(row.shareAmount),
    assetAmount: BigInt(row.assetAmount),
  }
}
