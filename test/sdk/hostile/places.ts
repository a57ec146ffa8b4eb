import { type Address, erc20Abi } from 'viem'
import { DEVNET_SOLVER, userAt } from '../../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { PLANNED_CHAINS, PLANNED_ROUTES, PLANNED_TOKENS } from '../../../devnet/plan.ts'
import { VAULT_CHAINS, type VaultDeployment } from '../../../devnet/vaults/deployment.ts'
import { depositInto, depositNative } from '../../../devnet/vaults/depositInto.ts'
import { submitWithdrawal } from '../../../devnet/vaults/submitWithdrawal.ts'
import { type World, worldClient } from '../../../devnet/world.ts'

/** A token of a chain, of the plan or the wrapped native coin. */
type PlacedToken = { chainId: number; address: Address; decimals: number; symbol: string }

export type PlacedRoute = { offer: PlacedToken; want: PlacedToken }

/** A vault on a chain, and what the drawn users hold there. */
export type PlacedVault = {
  chainId: number
  address: Address
  minimumOrderSize: bigint
  /** Those that withdrawals are paid in. */
  assets: Some<PlacedToken>
  /** Those that are open for deposits. Empty in deprecation. */
  depositable: PlacedToken[]
  /** The shares of each of the two that withdraw. */
  shares: bigint
  /** A request that waits. */
  requestId: string
}

/** Every chain, route and vault of the local world. */
export type Places = { routes: Some<PlacedRoute>; vaults: Some<PlacedVault> }

type Some<Item> = readonly [Item, ...Item[]]

export const ALL_CHAIN_IDS: number[] = PLANNED_CHAINS.map(({ id }) => id)
/** Who withdraws by a request, and who may at once. */
export const [WAITING, AT_ONCE] = [userAt(4), DEVNET_SOLVER]

/** Deposits into each vault, and leaves a request in each queue. */
export async function settleIn(world: World): Promise<Places> {
  const vaults: PlacedVault[] = []
  for (const { deployments } of VAULT_CHAINS)
    for (const deployment of deployments) vaults.push(await settleInVault(world, deployment))
  const routes = PLANNED_ROUTES.map(([source, destination, offer, want]) => ({
    offer: tokenAt(source, offer),
    want: tokenAt(destination, want),
  }))
  return { routes: some(routes), vaults: some(vaults) }
}

async function settleInVault(world: World, deployment: VaultDeployment): Promise<PlacedVault> {
  const { chainId, vault, plan, current } = deployment
  const assets = plan.assets.map(({ token }) => tokenAt(chainId, token))
  const depositable = assets.filter((_, index) => !plan.assets[index]?.isClosedForDeposits)
  const [asset = null] = depositable
  if (!asset) throw new Error(`${plan.name} is closed`)
  for (const { address: receiver } of [WAITING, AT_ONCE]) {
    const amount = 1_000n * 10n ** BigInt(asset.decimals)
    const request = { user: userAt(9), deployment, receiver, amount }
    if (asset.symbol === 'WETH') await depositNative(world, { ...request, amount: 10n ** 18n })
    else await depositInto(world, { ...request, asset: asset.address })
  }
  const shares = await worldClient(world, chainId).readContract({
    address: vault,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [AT_ONCE.address],
  })
  const { orderIndex } = await submitWithdrawal(world, {
    user: WAITING,
    deployment,
    wantAsset: asset.address,
    shares: shares / 10n,
  })
  return {
    chainId,
    address: vault,
    minimumOrderSize: plan.minimumOrderSize,
    assets: some(assets),
    depositable: plan.inDeprecation ? [] : depositable,
    shares: shares - shares / 10n,
    requestId: `${chainId}:${current.queue.toLowerCase()}:${orderIndex}`,
  }
}

function tokenAt(chainId: number, symbol: string): PlacedToken {
  const planned = PLANNED_TOKENS.find((token) => token.symbol === symbol)
  if (planned)
    return {
      chainId,
      address: DEPLOYMENT.tokens[planned.symbol],
      decimals: planned.decimals,
      symbol,
    }
  const wrapper = VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.nativeWrapper
  if (!wrapper) throw new Error(`chain ${chainId} has no ${symbol}`)
  return { chainId, address: wrapper, decimals: 18, symbol }
}

/** A list that has something. */
export function some<Item>(items: readonly Item[]): Some<Item> {
  if (items.length === 0) throw new Error('nothing to draw from')
  return items as unknown as Some<Item> // The check above: TypeScript infers no tuple from a length.
}
