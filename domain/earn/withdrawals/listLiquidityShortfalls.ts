import type { Address } from 'viem'
import type { RowAge } from '../../chain/chainRows.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { rowsAfter } from '../../page/pageInMemory.ts'
import { type Page, pageOfRows } from '../../page/pageOfRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { DEPLOYMENT_FILTER_KEYS, selectDeployments } from '../vaults/deploymentFilter.ts'
import { type LiveDeployment, readVaultHoldings } from '../vaults/liveDeployments.ts'
import type { VaultHoldings } from '../vaults/vaultHoldingsCache.ts'
import { type QueueBlock, unpayableOf } from './queueBlocks.ts'
import { type PayoutTerms, type PendingDemand, selectUnpayable } from './selectUnpayable.ts'

/** An asset of which a vault holds less than its queue has to pay, or whose payment a request holds up. Amounts are base units. */
export type LiquidityShortfall = RowAge & {
  /** Lower case. */
  vaultAddress: Address
  chainId: number
  assetAddress: Address
  pendingOrderCount: number
  pendingShares: bigint
  /** The amount that the queue would pay for the waiting requests now. */
  pendingAssets: bigint
  vaultBalance: bigint
  /** 0 where the balance suffices, and only `blockedBy` keeps the requests from being paid. */
  shortfall: bigint
  blockedBy: QueueBlock | null
}
export type LiquidityShortfallPage = Page<'liquidityShortfalls', LiquidityShortfall>

/** A vault's balance of an asset, and the terms on which its queue pays it for shares. */
type Liquidity = PayoutTerms & RowAge & { vault: Address; blockedBy: QueueBlock | null }

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const liquidityShortfallQuery = listQuery({
  list: 'liquidityShortfalls',
  keys: DEPLOYMENT_FILTER_KEYS,
})

/**
 * The assets for which the requests that wait in a vault's queue ask for more than the vault holds, or of which one holds up
 * the queue, by chain, vault and asset. Requests come from the index, the rest from the chain. Throws the
 * errors of `liquidityShortfallQuery`, and `INDEX_CATCHING_UP`.
 */
export async function listLiquidityShortfalls(
  context: EarnContext,
  params: ListParams,
): Promise<LiquidityShortfallPage> {
  const query = liquidityShortfallQuery(context, params)
  const wanted = selectDeployments(context.addressBook, query.filter)
  const live = await readVaultHoldings(context, wanted)
  const all = (
    await Promise.all(
      live.map(async (vault) => liquidityOf(vault, await unpayableOf(context, vault))),
    )
  ).flat()
  const rest = rowsAfter(query, all, ({ chainId, vault, asset }) => [chainId, vault, asset])
  const { progress, demands } = await selectUnpayable(context.sql, rest, query.pageSize + 1)
  await admitAnswer(context, progress, new Set(all.map(({ chainId }) => chainId)))
  return pageOfRows(context, query, {
    name: 'liquidityShortfalls',
    rows: demands.map((demand) => toShortfall(demand, rest[demand.position])),
    place: ({ chainId, vaultAddress, assetAddress }) => [chainId, vaultAddress, assetAddress],
  })
}

function toShortfall(
  { orderCount, shares, assets }: PendingDemand,
  has: Liquidity | undefined,
): LiquidityShortfall {
  if (!has) throw new Error('Invariant(listLiquidityShortfalls): a demand on no asset of the list')
  const { vault: vaultAddress, chainId, asset: assetAddress, balance: vaultBalance } = has
  const { stale, asOf, blockedBy } = has
  return {
    vaultAddress,
    chainId,
    assetAddress,
    vaultBalance,
    pendingOrderCount: orderCount,
    pendingShares: shares,
    pendingAssets: assets,
    shortfall: assets > vaultBalance ? assets - vaultBalance : 0n,
    blockedBy,
    stale,
    asOf,
  }
}

/** Without assets for which the accountant has no rate: none of those is paid. */
function liquidityOf(
  { state, ...deployment }: LiveDeployment<VaultHoldings>,
  block: QueueBlock | null,
): Liquidity[] {
  const { chainId, vault, queue, stale, asOf } = deployment
  const { decimals } = state
  const place = { chainId, vault, queue, decimals, stale, asOf, blockedBy: block }
  return state.holdings.flatMap(({ asset, balance, rateInQuote, withdrawFee: fee }) =>
    rateInQuote
      ? [{ ...place, asset, balance, rateInQuote, fee, isBlocked: block?.asset === asset }]
      : [],
  )
}
