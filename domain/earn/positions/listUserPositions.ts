import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { memoizeByRows } from '../../cache/memoizeByRows.ts'
import { INDEXED, type RowAge } from '../../chain/chainRows.ts'
import { headsColumn, headsInFirst, type RowWithHeads, takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { ofRowsAlone } from '../../index/indexReads.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { pageKey } from '../../page/pageKey.ts'
import { type Page, pageOfRows } from '../../page/pageOfRows.ts'
import type { Token } from '../../token/tokenReader.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf, shareDecimalsOf } from '../vaults/baseOf.ts'
import { DEPLOYMENT_FILTER_KEYS, selectDeployments } from '../vaults/deploymentFilter.ts'
import { type EarnDeployment, getDeployment } from '../vaults/deployments.ts'
import { deploymentKey, neverUpdatedRates, type RowRate } from '../vaults/neverUpdatedRates.ts'
import { assetsFor } from '../vaults/shareMath.ts'
import { type IndexedCost, positionCost } from './positionCost.ts'

export type UserPositionParams = ListParams & {
  /** In any case. */
  userAddress: string
}

/** A user's shares of one vault on one chain, and their value. Addresses are lower case. */
export type UserPosition = RowAge & {
  vaultAddress: Address
  chainId: number
  /** Base units of the share token. */
  shareBalance: bigint
  /** Base units of the base. */
  positionValue: bigint
  /** Whole units of the base, with all of its decimals. The rate has the same form, per whole share. */
  positionValueInBase: string
  exchangeRateToBase: string
  /** The cost of the shares, in the form of `positionValueInBase`, like the two earnings. Null while the index lacks it. */
  costBasis: string | null
  realisedEarnings: string | null
  unrealisedEarnings: string | null
  /** Whether some of the shares came by transfer, at any time. Null where the cost is null. */
  hasTransferredShares: boolean | null
  base: Token
}
export type UserPositionPage = Page<'userPositions', UserPosition>

/** A row of a position as postgres.js returns it: numeric as text. */
type PositionRow = IndexedCost & {
  chainId: number
  vault: Address
  /** Null for an account that never had shares. */
  account: Address | null
  balance: string
  rate: string | null
  /** Null as the rate. */
  openingRate: string | null
}

type Cursor = [chainId: number, vault: Address]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const userPositionQuery = listQuery<Cursor, ListParams & { userAddress?: string }>({
  list: 'userPositions',
  keys: DEPLOYMENT_FILTER_KEYS,
  bound: ({ userAddress }) => [userAddress?.toLowerCase() ?? null],
})

/**
 * A user's position in every vault, by chain and vault. A position of 0 is listed unless the vault is in
 * deprecation. The rate of a vault without an indexed one is read from its chain, with failures like in
 * `readAccountantRates`. Throws the errors of `userPositionQuery`, or `INDEX_CATCHING_UP`.
 */
export async function listUserPositions(
  context: EarnContext,
  params: UserPositionParams,
): Promise<UserPositionPage> {
  const query = userPositionQuery(context, params)
  const { filter, cursor, pageSize } = query
  const deployments = selectDeployments(context.addressBook, filter)
  const limit = pageSize + 1
  const chainIds = [...new Set(deployments.map(({ chainId }) => chainId))]
  const { progress, value: rows } = await context.indexReads.read(pageKey(query), {
    select: () =>
      context.readIndex(async ({ sql }) => {
        const rows = await selectBalances(sql, {
          userAddress: params.userAddress.toLowerCase(),
          deployments: atMost(
            limit,
            deployments.filter((entry) => cursor === null || isAfter(entry, cursor)),
          ),
          limit,
        })
        return {
          heads: takeHeads(rows),
          chainIds,
          value: rows.filter(({ vault }) => vault !== null),
        }
      }),
    isSameAt: ofRowsAlone,
    kilobytes: (rows) => POSITION_KILOBYTES * rows.length + 1,
  })
  await admitAnswer(context, progress, chainIds)
  const rates = await neverUpdatedRates(
    context,
    rows.slice(0, pageSize).filter(({ rate }) => rate === null),
  )
  return pageOf(rows, rates, () => toPage(context, query, { rows, rates }))
}

/** A position with its part of the answer. */
const POSITION_KILOBYTES = 1.9

type Rated = {
  rows: readonly PositionRow[]
  /** In place of rates that are not indexed, by `deploymentKey`. A position without any rate is left out. */
  rates: Map<string, RowRate>
}

const pageOf = memoizeByRows<Rated['rows'], Rated['rates'], UserPositionPage>()

function toPage(
  context: EarnContext,
  query: ListQuery<Cursor>,
  { rows, rates }: Rated,
): UserPositionPage {
  const { userPositions, nextPageToken } = pageOfRows(context, query, {
    name: 'userPositions',
    rows,
    place: ({ chainId, vault }) => [chainId, vault],
  })
  return {
    userPositions: userPositions.flatMap((row) => {
      const indexed = row.rate === null ? null : { rate: BigInt(row.rate), ...INDEXED }
      const rate = indexed ?? rates.get(deploymentKey(row))
      return rate ? [toUserPosition(context, row, rate)] : []
    }),
    nextPageToken,
  }
}

function isAfter({ chainId, vault }: EarnDeployment, [afterChain, afterVault]: Cursor): boolean {
  return chainId > afterChain || (chainId === afterChain && vault > afterVault)
}

/** The deployments up to the one with which a page is full for certain: only one in deprecation may have no position. */
function atMost(limit: number, deployments: EarnDeployment[]): EarnDeployment[] {
  let certain = 0
  const end = deployments.findIndex(({ inDeprecation }) => {
    certain += inDeprecation ? 0 : 1
    return certain === limit
  })
  return end < 0 ? deployments : deployments.slice(0, end + 1)
}

type Selection = { userAddress: string; deployments: EarnDeployment[]; limit: number }

/**
 * Postgres expects ten rows of an array and a hundred of a JSON document, for
 * which it hashes the states of all vaults instead of comparing each with each. The balances are read chain by chain.
 */
function selectBalances(
  sql: Sql,
  { userAddress, deployments, limit }: Selection,
): Promise<(PositionRow & RowWithHeads)[]> {
  const wanted = deployments.map(({ chainId, vault, inDeprecation }, position) => ({
    position,
    chain_id: chainId,
    vault,
    in_deprecation: inDeprecation,
  }))
  return sql`
    select ${headsInFirst(sql, sql`b.position`)}, b.*
    from (select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c) progress
    left join (
      select l.position, l.chain_id as "chainId", l.vault, coalesce(b.balance, 0) as balance,
        b.account, b.cost, b.realised, b.is_priced as "isPriced",
        b.has_transferred_shares as "hasTransferredShares",
        coalesce(s.rate, s.opening_rate) as rate, s.opening_rate as "openingRate"
      from json_to_recordset(${JSON.stringify(wanted)}::text::json)
        l (position integer, chain_id integer, vault text, in_deprecation boolean)
      left join read.balances_of_account(
        ${userAddress}, ${[...new Set(deployments.map(({ chainId }) => chainId))]},
        ${deployments.map(({ vault }) => vault)}
      ) b on b.chain_id = l.chain_id and b.vault = l.vault
      left join read.vault_state s on s.chain_id = l.chain_id and s.vault = l.vault
      where not l.in_deprecation or b.balance > 0
      order by l.position limit ${limit}
    ) b on true
    order by b.position`
}

function toUserPosition(
  context: EarnContext,
  row: PositionRow,
  { rate, stale, asOf }: RowRate,
): UserPosition {
  const { chainId, vault } = row
  const deployment = getDeployment(context.addressBook, chainId, vault)
  const base = baseOf(context, deployment)
  const decimals = shareDecimalsOf(context, deployment)
  const shareBalance = BigInt(row.balance)
  const value = assetsFor(shareBalance, { rate, decimals })
  const openingRate = row.openingRate === null ? rate : BigInt(row.openingRate)
  const cost = positionCost(row.account === null ? null : row, { openingRate, decimals })
  return {
    vaultAddress: vault,
    chainId,
    shareBalance,
    base,
    positionValue: value,
    positionValueInBase: wholeUnits(value, base.decimals),
    costBasis: cost && wholeUnits(cost.costBasis, base.decimals),
    realisedEarnings: cost && wholeUnits(cost.realisedEarnings, base.decimals),
    unrealisedEarnings: cost && wholeUnits(value - cost.costBasis, base.decimals),
    hasTransferredShares: cost?.hasTransferredShares ?? null,
    exchangeRateToBase: wholeUnits(rate, base.decimals),
    stale,
    asOf,
  }
}
