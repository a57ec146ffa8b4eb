import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { gather } from '../../cache/gather.ts'
import type { SharedServices } from '../../context.ts'
import { type EarnDeployment, earnDeployments } from '../vaults/deployments.ts'
import { type HoldingsServices, knownHoldings } from './knownHoldings.ts'
import { leastPaidShares, type QueueTerms, unpaidShares } from './queuePayout.ts'
import type { WithdrawalPlace } from './withdrawalRequest.ts'

/** Reads which requests hold up their queues. */
export type QueueBlocks = {
  /** The first waiting request that the vault's queue in use cannot pay, for each reason. */
  of(deployment: EarnDeployment): Promise<QueueBlock[]>
}

/**
 * A request at which its queue reverts, and pays nobody behind it. It would pay nothing, because less than one base unit is left
 * after the fee, or more than the vault has of the asset; or the accountant has no source of the asset's rate.
 */
export type QueueBlock = WithdrawalPlace & {
  reason: 'PAYS_NOTHING' | 'NO_RATE' | 'VAULT_LACKS_ASSETS'
  asset: Address
}

type BlockServices = Pick<SharedServices, 'addressBook'> & { queueBlocks: QueueBlocks }

type UnpaidRange = {
  reason: QueueBlock['reason']
  deployment: EarnDeployment
  asset: Address
  from: bigint
  /** Null without an end. */
  below: bigint | null
}

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
      return blocks.filter(
        ({ queue, chainId }) => deployment.queue === queue && deployment.chainId === chainId,
      )
    },
  }
}

/** The queues that a request holds up which they can never pay, each with its vault. */
export async function blockedQueues(
  context: BlockServices,
): Promise<{ deployment: EarnDeployment; block: QueueBlock }[]> {
  const all = earnDeployments(context.addressBook)
  const blocks = await Promise.all(
    all.map(async (deployment) => ({
      deployment,
      block: await unpayableOf(context, deployment),
    })),
  )
  return blocks.flatMap(({ deployment, block }) => (block ? [{ deployment, block }] : []))
}

/** The first waiting request that a queue can never pay; null if there is none. */
export async function unpayableOf(
  { queueBlocks }: Pick<BlockServices, 'queueBlocks'>,
  deployment: EarnDeployment,
): Promise<QueueBlock | null> {
  const blocks = await queueBlocks.of(deployment)
  return firstUnpayable(blocks) ?? null
}

/** The first request of these in the queue that no payment to the vault makes payable. */
export function firstUnpayable(blocks: readonly QueueBlock[]): QueueBlock | undefined {
  const [first] = blocks
    .filter(({ reason }) => reason !== 'VAULT_LACKS_ASSETS')
    .toSorted((a, b) => Number(a.orderIndex - b.orderIndex))
  return first
}

/** The amounts of shares that a queue cannot pay, by asset. Empty where the chain does not answer. */
async function unpaidRanges(
  services: HoldingsServices,
  deployment: EarnDeployment,
): Promise<UnpaidRange[]> {
  const state = (await knownHoldings(services, deployment.chainId))?.get(deployment.vault)
  if (!state) return []
  return state.holdings.flatMap((holding): UnpaidRange[] => {
    const { asset, balance, hasRateSource, rateInQuote, withdrawFee: fee } = holding
    const of = { deployment, asset }
    if (!hasRateSource) return [{ ...of, reason: 'NO_RATE', from: 0n, below: null }]
    if (!rateInQuote) return []
    const terms: QueueTerms = { decimals: state.decimals, rateInQuote, fee }
    const unpaid = unpaidShares(terms)
    const tooMany = leastPaidShares(terms, balance + 1n)
    return [
      ...(unpaid ? [{ ...of, ...unpaid, reason: 'PAYS_NOTHING' as const }] : []),
      ...(tooMany === null
        ? []
        : [{ ...of, reason: 'VAULT_LACKS_ASSETS' as const, from: tooMany, below: null }]),
    ]
  })
}

type Row = {
  reason: QueueBlock['reason']
  chain_id: number
  queue: Address
  asset: Address
  order_index: string
}

async function selectBlocks(sql: Sql, ranges: UnpaidRange[]): Promise<QueueBlock[]> {
  if (ranges.length === 0) return []
  const rows = await sql<Row[]>`
    select distinct on (t.chain_id, t.queue, t.reason)
      t.reason, t.chain_id, t.queue, t.asset, first.order_index::text as order_index
    from unnest(
      ${ranges.map(({ reason }) => reason)}::text[],
      ${ranges.map(({ deployment }) => deployment.chainId)}::integer[],
      ${ranges.map(({ deployment }) => deployment.queue)}::text[],
      ${ranges.map(({ asset }) => asset)}::text[],
      ${ranges.map(({ from }) => String(from))}::numeric[],
      ${ranges.map(({ below }) => String(below ?? 'Infinity'))}::numeric[]
    ) t (reason, chain_id, queue, asset, first_unpaid, first_paid) cross join lateral (
      select w.order_index from read.waiting_withdrawal w
      where w.chain_id = t.chain_id and w.queue = t.queue and w.want_asset = t.asset
        and not w.is_marked_for_refund
        and w.offer_amount >= t.first_unpaid and w.offer_amount < t.first_paid
      order by w.order_index limit 1
    ) first
    order by t.chain_id, t.queue, t.reason, first.order_index`
  return rows.map((row) => ({
    chainId: row.chain_id,
    queue: row.queue,
    asset: row.asset,
    orderIndex: BigInt(row.order_index),
    reason: row.reason,
  }))
}
