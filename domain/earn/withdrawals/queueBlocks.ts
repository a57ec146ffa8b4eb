import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { gather } from '../../cache/gather.ts'
import type { SharedServices } from '../../context.ts'
import { type EarnDeployment, earnDeployments, findDeployment } from '../vaults/deployments.ts'
import { type HoldingsServices, knownHoldings } from './knownHoldings.ts'
import { type QueueTerms, unpaidShares } from './queuePayout.ts'
import type { WithdrawalPlace, WithdrawalRequest } from './withdrawalRequest.ts'

/** Reads which requests hold up their queues. */
export type QueueBlocks = {
  /** The first waiting request that the queue in use of a vault can never pay; null if there is none. */
  of(deployment: EarnDeployment): Promise<QueueBlock | null>
}

/**
 * A request for which its queue would pay nothing: less than one base unit is left after the fee. The queue reverts when it
 * reaches it, and pays nobody behind it.
 */
export type QueueBlock = WithdrawalPlace & { reason: 'PAYS_NOTHING'; asset: Address }

type BlockServices = Pick<SharedServices, 'addressBook'> & { queueBlocks: QueueBlocks }

type Range = { from: bigint; below: bigint }
type UnpaidRange = Range & { deployment: EarnDeployment; asset: string }

export function createQueueBlocks(
  services: Pick<SharedServices, 'sql'> & HoldingsServices,
): QueueBlocks {
  const select = gather(async (deployments: EarnDeployment[]) => {
    const ranges = await Promise.all(deployments.map((one) => unpaidRanges(services, one)))
    return selectBlocks(services.sql, ranges.flat())
  })
  return {
    async of(deployment) {
      const blocks = await select(deployment)
      return blocks.find(({ queue, chainId }) => isQueueOf(deployment, { queue, chainId })) ?? null
    },
  }
}

/** The request that holds up a waiting request: itself, or one before it in the queue in use. */
export async function blockedBy(
  context: BlockServices,
  { chainId, vault, queue, orderIndex, status }: WithdrawalRequest,
): Promise<QueueBlock | null> {
  if (status !== 'PENDING' && status !== 'PENDING_REFUND') return null
  const deployment = findDeployment(context.addressBook, chainId, vault)
  if (!deployment || !isQueueOf(deployment, { queue, chainId })) return null
  const block = await context.queueBlocks.of(deployment)
  return block && block.orderIndex <= orderIndex ? block : null
}

/** The queues that are held up, each with its vault. */
export async function blockedQueues(
  context: BlockServices,
): Promise<{ deployment: EarnDeployment; block: QueueBlock }[]> {
  const all = earnDeployments(context.addressBook)
  const blocks = await Promise.all(
    all.map(async (deployment) => ({
      deployment,
      block: await context.queueBlocks.of(deployment),
    })),
  )
  return blocks.flatMap(({ deployment, block }) => (block ? [{ deployment, block }] : []))
}

function isQueueOf(
  deployment: EarnDeployment,
  { queue, chainId }: Pick<WithdrawalPlace, 'queue' | 'chainId'>,
): boolean {
  return deployment.queue === queue && deployment.chainId === chainId
}

/** The amounts of shares for which a queue pays nothing, by asset. Empty where the chain does not answer. */
async function unpaidRanges(
  services: HoldingsServices,
  deployment: EarnDeployment,
): Promise<UnpaidRange[]> {
  const state = (await knownHoldings(services, deployment.chainId))?.get(deployment.vault)
  if (!state) return []
  return state.holdings.flatMap(({ asset, rateInQuote, withdrawFee: fee }) => {
    if (!rateInQuote) return []
    const terms: QueueTerms = { decimals: state.decimals, rateInQuote, fee }
    const range = unpaidShares(terms)
    return range ? [{ ...range, deployment, asset }] : []
  })
}

type Row = { chain_id: number; queue: Address; asset: Address; order_index: string }

async function selectBlocks(sql: Sql, ranges: UnpaidRange[]): Promise<QueueBlock[]> {
  if (ranges.length === 0) return []
  const rows = await sql<Row[]>`
    select distinct on (t.chain_id, t.queue) t.chain_id, t.queue, t.asset, first.order_index::text as order_index
    from unnest(
      ${ranges.map(({ deployment }) => deployment.chainId)}::integer[],
      ${ranges.map(({ deployment }) => deployment.queue)}::text[],
      ${ranges.map(({ asset }) => asset)}::text[],
      ${ranges.map(({ from }) => String(from))}::numeric[],
      ${ranges.map(({ below }) => String(below))}::numeric[]
    ) t (chain_id, queue, asset, first_unpaid, first_paid) cross join lateral (
      select w.order_index from read.waiting_withdrawal w
      where w.chain_id = t.chain_id and w.queue = t.queue and w.want_asset = t.asset
        and not w.is_marked_for_refund
        and w.offer_amount >= t.first_unpaid and w.offer_amount < t.first_paid
      order by w.order_index limit 1
    ) first
    order by t.chain_id, t.queue, first.order_index`
  return rows.map((row) => ({
    chainId: row.chain_id,
    queue: row.queue,
    asset: row.asset,
    orderIndex: BigInt(row.order_index),
    reason: 'PAYS_NOTHING',
  }))
}
