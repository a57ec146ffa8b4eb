import { getAddress } from 'viem'
import type {
  ActivityRow,
  LiquidityShortfallRow,
  SupplyCapRow,
  UserPositionRow,
  VaultApyBeyond,
  VaultApyRow,
  VaultCompositionRow,
  VaultTvlBeyond,
  VaultTvlRow,
  WithdrawalRequestRow,
  WithdrawalVolumeRow,
} from './vaultOracle/answers.ts'
import { activities, compareActivities } from './vaultOracle/oracleActivity.ts'
import {
  type OracleBook,
  type OracleDeployment,
  oracleDeployments,
} from './vaultOracle/oracleBook.ts'
import { type OracleChain, readOracleChain } from './vaultOracle/oracleChain.ts'
import { expectations } from './vaultOracle/oracleExpectations.ts'
import {
  liquidityShortfalls,
  supplyCap,
  userPosition,
  vaultComposition,
} from './vaultOracle/oracleHoldings.ts'
import { type OracleOrder, readOrders, withdrawalRequests } from './vaultOracle/oracleOrders.ts'
import { createOracleRpc } from './vaultOracle/oracleRpc.ts'
import { apyRows, type SeriesQuery, sortSeries, tvlRows } from './vaultOracle/oracleSeries.ts'
import { compareVolumes, type VolumeQuery, withdrawalVolumes } from './vaultOracle/oracleVolumes.ts'

export type SeriesOrder = 'asc' | 'desc'

/** Earn's expected answers at the heads of its chains: all rows of each list in order. */
export type VaultOracle = {
  chains: OracleChain[]
  deployments: OracleDeployment[]
  orders: OracleOrder[]
  supplyCaps(): Promise<SupplyCapRow[]>
  userPositions(user: string): Promise<UserPositionRow[]>
  vaultCompositions(): Promise<VaultCompositionRow[]>
  withdrawalRequests(): Promise<WithdrawalRequestRow[]>
  activity(): Promise<ActivityRow[]>
  liquidityShortfalls(): Promise<LiquidityShortfallRow[]>
  withdrawalVolumes(vault: string, query: VolumeQuery): WithdrawalVolumeRow[]
  /** With `includeCurrent`, one more row per vault. */
  vaultTvls(
    query: SeriesQuery & { includeCurrent: boolean },
    order: SeriesOrder,
  ): Promise<(VaultTvlRow & VaultTvlBeyond)[]>
  vaultApys(
    query: SeriesQuery & { apyWindow: number; includeCurrent: boolean },
    order: SeriesOrder,
  ): Promise<(VaultApyRow & VaultApyBeyond)[]>
}

/**
 * Computes Earn's answers from `eth_getLogs` and `eth_call` alone, up to the nodes' newest blocks. It
 * calls a contract at a block if its functions give the value. It shares no code with the service.
 */
export async function openVaultOracle(
  book: OracleBook,
  rpcUrls: Record<number, string>,
): Promise<VaultOracle> {
  const deployments = oracleDeployments(book, Object.keys(rpcUrls).map(Number))
  const chains = await Promise.all(
    Object.entries(rpcUrls).map(([id, url]) => {
      const here = deployments.filter(({ chainId }) => chainId === Number(id))
      return readOracleChain(createOracleRpc(url), Number(id), here.flatMap(contractsOf))
    }),
  )
  const places = deployments.map((deployment) => ({
    chain: chainOf(chains, deployment.chainId),
    deployment,
  }))
  const orders = (
    await Promise.all(places.map(({ chain, deployment }) => readOrders(chain, deployment)))
  ).flat()
  const ordersOf = (deployment: OracleDeployment) =>
    orders.filter((order) => order.deployment === deployment)
  const each = <Row>(read: (place: (typeof places)[number]) => Promise<Row>) =>
    Promise.all(places.map(read))
  const there = <Row>(rows: (Row | null)[]) => rows.filter((row) => row !== null)

  return {
    chains,
    deployments,
    orders,
    supplyCaps: async () => there(await each(supplyCap)),
    userPositions: async (user) =>
      there(
        await each((place) =>
          userPosition({ ...place, orders: ordersOf(place.deployment), chains }, user),
        ),
      ),
    vaultCompositions: () => each(vaultComposition),
    async withdrawalRequests() {
      const expected = await each((place) => expectations(place, ordersOf(place.deployment)))
      return withdrawalRequests(orders, new Map(expected.flatMap((some) => [...some])))
    },
    activity: async () => {
      const perPlace = await each((place) =>
        activities({ ...place, orders: ordersOf(place.deployment) }),
      )
      return perPlace
        .flat()
        .toSorted(compareActivities)
        .map(({ row }) => row)
    },
    liquidityShortfalls: async () =>
      (await each((place) => liquidityShortfalls(place, ordersOf(place.deployment)))).flat(),
    withdrawalVolumes: (vault, query) =>
      places
        .filter(({ deployment }) => getAddress(deployment.vault) === getAddress(vault))
        .flatMap(({ chain, deployment }) =>
          withdrawalVolumes(chain, { deployment, orders: ordersOf(deployment) }, query),
        )
        .toSorted(compareVolumes),
    async vaultTvls({ includeCurrent, ...query }, order) {
      const rows = (await each((place) => tvlRows(place, query))).flat()
      const asked = rows.filter(({ isCurrent }) => includeCurrent || !isCurrent)
      return sortSeries(asked, order).map(({ row }) => row)
    },
    async vaultApys({ includeCurrent, ...query }, order) {
      const rows = (await each((place) => apyRows(place, query))).flat()
      const asked = rows.filter(({ isCurrent }) => includeCurrent || !isCurrent)
      return sortSeries(asked, order).map(({ row }) => row)
    },
  }
}

function chainOf(chains: OracleChain[], chainId: number): OracleChain {
  const found = chains.find((chain) => chain.chainId === chainId)
  if (!found) throw new Error(`Invariant(chainOf): a deployment of no chain ${chainId}`)
  return found
}

function contractsOf(deployment: OracleDeployment): string[] {
  const { vault, accountants, queues, depositors, tellers } = deployment
  return [vault, ...accountants.map(({ address }) => address), ...queues, ...depositors, ...tellers]
}
