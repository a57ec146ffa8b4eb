import type { Address } from 'viem'
import { admitAnswer, type IndexProgress } from '../chain/indexProgress.ts'
import type { RequestContext, ServiceContext } from '../context.ts'
import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { type FieldViolation, invalidFields } from '../error/serviceError.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { encodePageToken } from '../page/pageToken.ts'
import { deploymentsOfVault } from './deployments.ts'
import { volumeIntervalParam } from './seriesParameters.ts'
import { backwardsViolations, refused } from './seriesQuery.ts'

/** Times are Unix seconds. */
export type WithdrawalVolumeParams = Omit<ListParams, 'filter'> & {
  vaultAddress: Address
  /** What is paid at this very moment is not counted, what is paid at `endTime` is. */
  startTime: number
  endTime: number
  chainId?: number | undefined
  /** A row for each of its multiples; without it one row for all. */
  interval?: number | undefined
}

/** What was withdrawn from a vault, in one asset and time. Shares and assets are base units. */
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
export type WithdrawalVolumePage = {
  withdrawalVolumes: WithdrawalVolume[]
  nextPageToken: string | null
}

/** What the index sums up. */
const HOUR_SECONDS = 3_600

type Cursor = [startTime: number, chainId: number, asset: Address]

type Row = { progress: IndexProgress[] } & Omit<WithdrawalVolume, 'shareAmount' | 'assetAmount'> & {
    shareAmount: string
    assetAmount: string
  }

/** What is wrong with those of the parameters that are given. */
export function withdrawalVolumeViolations(
  params: Partial<WithdrawalVolumeParams>,
): FieldViolation[] {
  const { startTime, endTime, interval } = params
  const isRange = startTime !== undefined && endTime !== undefined
  return [
    ...refused('interval', volumeIntervalParam, interval),
    ...(isRange ? backwardsViolations(startTime, endTime) : []),
  ]
}

/** The parameters, checked. Throws `INVALID_PAGE_TOKEN` or `INVALID_FIELD`, naming all that is wrong. */
export function withdrawalVolumeQuery(
  context: Pick<ServiceContext, 'appSecret'>,
  params: WithdrawalVolumeParams,
): ListQuery<Cursor> {
  const { vaultAddress, startTime, endTime, chainId = null, interval = null } = params
  const violations = withdrawalVolumeViolations(params)
  const query = attempt(() =>
    listQuery<Cursor>(context, {
      ...{ list: 'withdrawalVolumes', keys: {}, params },
      bound: [vaultAddress, startTime, endTime, chainId, interval],
    }),
  )
  refuseTogether([violations.length > 0 ? invalidFields(violations) : undefined, query.refusal])
  if (!query.value) throw new Error('Invariant(withdrawalVolumeQuery): refused, or a query')
  return query.value
}

/**
 * What was withdrawn from a vault, by time, chain and asset, out of the queues and at once. Throws
 * `INVALID_FIELD`, `INVALID_PAGE_TOKEN`, `VAULT_NOT_FOUND`, `INDEX_CATCHING_UP`.
 */
export async function listWithdrawalVolumes(
  context: RequestContext,
  params: WithdrawalVolumeParams,
): Promise<WithdrawalVolumePage> {
  const query = withdrawalVolumeQuery(context, params)
  const { vaultAddress, chainId } = params
  const deployments = deploymentsOfVault(context.addressBook, vaultAddress, chainId)
  const chainIds = deployments.map((deployment) => deployment.chainId)
  const rows = await selectRows(context, { ...params, ...query, chainIds })
  await admitAnswer(context, rows[0]?.progress ?? [], chainIds)
  const found = rows.filter(({ assetAddress }) => assetAddress !== null)
  const withdrawalVolumes = found.slice(0, query.pageSize).map(toVolume)
  const last = withdrawalVolumes.at(-1)
  const end: Cursor | null =
    last && found.length > query.pageSize ? [last.startTime, last.chainId, last.assetAddress] : null
  return {
    withdrawalVolumes,
    nextPageToken:
      end && encodePageToken({ binding: query.binding, cursor: end }, context.appSecret),
  }
}

type Asked = WithdrawalVolumeParams & ListQuery<Cursor> & { chainIds: number[] }

/** Whole hours as they are summed up, and what was paid in the hours that the range cuts. */
function selectRows({ sql }: RequestContext, asked: Asked): Promise<Row[]> {
  const { vaultAddress: vault, startTime, endTime, interval = null, chainIds, cursor } = asked
  // What is before the page's first interval was on the pages before.
  const [from, cursorChain, cursorAsset] = cursor ?? [startTime, null, null]
  const firstHour = Math.ceil(from / HOUR_SECONDS) * HOUR_SECONDS
  const lastHour = Math.floor(endTime / HOUR_SECONDS) * HOUR_SECONDS
  const [headEnd, tailStart] = [Math.min(firstHour, endTime), Math.max(firstHour, lastHour)]
  return sql<Row[]>`
    with progress as materialized (
      select coalesce(json_agg(c), '[]') as progress from read.chain_progress c
    ), paid as (
      select p.* from unnest(${chainIds}::integer[]) asked (chain_id) cross join lateral (
        select h.chain_id, h.asset, h.hour as time, h.order_count, h.shares, h.assets
        from read.withdrawal_hour h
        where h.chain_id = asked.chain_id and h.vault = ${vault}
          and h.hour > ${firstHour} and h.hour <= ${lastHour}
        union all
        select w.chain_id, w.asset, w.block_timestamp, 1, w.shares, w.assets
        from read.withdrawal w
        where w.chain_id = asked.chain_id and w.vault = ${vault}
          and (
            w.block_timestamp > ${from} and w.block_timestamp <= ${headEnd}
            or w.block_timestamp > ${tailStart} and w.block_timestamp <= ${endTime}
          )
      ) p
    ), volume as (
      select chain_id, asset,
        -- Without an interval its end is null, which neither of these looks at.
        greatest(${startTime}::bigint, interval_end - ${interval}::bigint) as start_time,
        least(${endTime}::bigint, interval_end) as end_time,
        sum(order_count) as order_count, sum(shares) as shares, sum(assets) as assets
      from paid cross join lateral (
        select (time + ${interval}::bigint - 1) / ${interval}::bigint * ${interval}::bigint
          as interval_end
      ) i
      group by chain_id, asset, interval_end
    )
    select progress.progress, ${vault} as "vaultAddress", v.chain_id as "chainId",
      v.asset as "assetAddress", v.start_time::double precision as "startTime",
      v.end_time::double precision as "endTime", v.order_count::double precision as "orderCount",
      v.shares as "shareAmount", v.assets as "assetAmount"
    from progress left join (
      select * from volume
      where ${cursorChain}::integer is null
        or (start_time, chain_id, asset) > (${from}::bigint, ${cursorChain}, ${cursorAsset})
      order by start_time, chain_id, asset limit ${asked.pageSize + 1}
    ) v on true
    order by v.start_time, v.chain_id, v.asset`
}

function toVolume({ progress: _, ...row }: Row): WithdrawalVolume {
  return {
    ...row,
    shareAmount: BigInt(row.shareAmount),
    assetAmount: BigInt(row.assetAmount),
  }
}
