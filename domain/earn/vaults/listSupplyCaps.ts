import { type Address, maxUint256 } from 'viem'
import type { RowAge } from '../../chain/chainRows.ts'
import type { SharedServices } from '../../context.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
import type { Page } from '../../page/pageOfRows.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf } from './baseOf.ts'
import { DEPLOYMENT_FILTER_KEYS, selectDeployments } from './deploymentFilter.ts'
import { type LiveDeployment, readDeploymentStates } from './liveDeployments.ts'
import { assetsFor, percentageOf } from './shareMath.ts'

/** A deployment's supply beside its cap. Amounts are whole units of the base, with all of its decimals. */
export type SupplyCap = RowAge & {
  /** Lower case. */
  vaultAddress: Address
  chainId: number
  totalSupplyInBase: string
  /** Both null if the vault has no cap. */
  supplyCap: string | null
  /** In percent, with four decimals. */
  percentageFilled: string | null
}
export type SupplyCapPage = Page<'supplyCaps', SupplyCap>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const supplyCapQuery = listQuery({ list: 'supplyCaps', keys: DEPLOYMENT_FILTER_KEYS })

/**
 * The supply and cap of every deployment that takes deposits, by chain and vault. Throws the errors of
 * `supplyCapQuery`.
 */
export async function listSupplyCaps(
  context: EarnContext,
  params: ListParams,
): Promise<SupplyCapPage> {
  const query = supplyCapQuery(context, params)
  const wanted = selectDeployments(context.addressBook, query.filter)
  const live = await readDeploymentStates(
    context,
    wanted.filter(({ inDeprecation }) => !inDeprecation),
  )
  const page = pageInMemory(context, query, {
    name: 'supplyCaps',
    rows: live,
    place: ({ chainId, vault }) => [chainId, vault],
  })
  return { ...page, supplyCaps: page.supplyCaps.map((item) => supplyCapOf(context, item)) }
}

function supplyCapOf(
  context: Pick<SharedServices, 'tokens'>,
  { state, stale, asOf, ...deployment }: LiveDeployment,
): SupplyCap {
  const { vault, chainId } = deployment
  const { supplyCapInBase: cap, totalSupply, exchangeRate: rate, decimals } = state
  const hasCap = cap !== maxUint256
  const held = assetsFor(totalSupply, { rate, decimals })
  const base = baseOf(context, deployment)
  return {
    vaultAddress: vault,
    chainId,
    totalSupplyInBase: wholeUnits(held, base.decimals),
    supplyCap: hasCap ? wholeUnits(cap, base.decimals) : null,
    percentageFilled: hasCap ? percentageFilled(held, cap) : null,
    stale,
    asOf,
  }
}

/** A cap of 0 counts as full. */
function percentageFilled(held: bigint, cap: bigint): string {
  return cap === 0n ? '100.0000' : percentageOf(held, cap)
}
