import type { Address } from 'viem'
import { admitAnswer } from '../chain/indexProgress.ts'
import type { RequestContext, ServiceContext } from '../context.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import { DEPLOYMENT_FILTER_KEYS, selectDeployments } from './deploymentFilter.ts'
import { type LiveDeployment, readHoldings } from './readDeployments.ts'
import { type PayoutTerms, selectPendingDemand } from './selectPendingDemand.ts'
import type { VaultHoldings } from './vaultHoldings.ts'

/** An asset of which a vault has less than its queue is to pay. Amounts are base units. */
export type LiquidityShortfall = {
  /** Lower case. */
  vaultAddress: Address
  chainId: number
  assetAddress: Address
  pendingOrderCount: number
  pendingShares: bigint
  /** What the queue would pay for them now. */
  pendingAssets: bigint
  vaultBalance: bigint
  shortfall: bigint
}
export type LiquidityShortfallPage = {
  liquidityShortfalls: LiquidityShortfall[]
  nextPageToken: string | null
}

type Cursor = [chainId: number, vault: Address, asset: Address]
/** What a vault has of an asset, and what its queue pays for shares in it. */
type Liquidity = PayoutTerms & { vault: Address; balance: bigint }

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function liquidityShortfallQuery(
  context: Pick<ServiceContext, 'appSecret'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, { list: 'liquidityShortfalls', keys: DEPLOYMENT_FILTER_KEYS, params })
}

/**
 * Where the orders that wait in a vault's queue ask for more than it has, by chain, vault and asset: the
 * orders as they are indexed, the rest as the chain says. Throws as `readDeployments` does, and
 * `INDEX_CATCHING_UP`.
 */
export async function listLiquidityShortfalls(
  context: RequestContext,
  params: ListParams,
): Promise<LiquidityShortfallPage> {
  const query = liquidityShortfallQuery(context, params)
  const wanted = selectDeployments(context.addressBook, query.filter)
  const liquidity = (await readHoldings(context, wanted)).flatMap(liquidityOf)
  const { progress, demands } = await selectPendingDemand(context.sql, liquidity)
  await admitAnswer(context, progress, new Set(liquidity.map(({ chainId }) => chainId)))
  const shortfalls = liquidity.flatMap((has, index): LiquidityShortfall[] => {
    const { vault: vaultAddress, chainId, asset: assetAddress, balance: vaultBalance } = has
    const demand = demands[index]
    if (!demand || demand.assets <= vaultBalance) return []
    return [
      {
        ...{ vaultAddress, chainId, assetAddress, vaultBalance },
        ...{ pendingOrderCount: demand.orderCount, pendingShares: demand.shares },
        ...{ pendingAssets: demand.assets, shortfall: demand.assets - vaultBalance },
      },
    ]
  })
  const page = pageInMemory(
    context,
    query,
    shortfalls,
    ({ chainId, vaultAddress, assetAddress }): Cursor => [chainId, vaultAddress, assetAddress],
  )
  return { liquidityShortfalls: page.items, nextPageToken: page.nextPageToken }
}

/** For what the accountant has no rate of, nothing is paid. */
function liquidityOf({ state, ...deployment }: LiveDeployment<VaultHoldings>): Liquidity[] {
  const { chainId, vault, queue } = deployment
  return state.holdings.flatMap(({ asset, balance, rateInQuote, withdrawFee: fee }) =>
    rateInQuote
      ? [{ chainId, vault, queue, asset, balance, rateInQuote, fee, decimals: state.decimals }]
      : [],
  )
}
