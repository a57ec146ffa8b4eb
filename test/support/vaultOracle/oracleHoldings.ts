import { getAddress } from 'viem'
import {
  isoTime,
  type LiquidityShortfallRow,
  type SupplyCapRow,
  type UserPositionRow,
  type VaultCompositionRow,
} from './answers.ts'
import { compareText, type OracleDeployment } from './oracleBook.ts'
import type { OracleChain } from './oracleChain.ts'
import { accountCosts } from './oracleCosts.ts'
import { human, ratio, weights } from './oracleNumbers.ts'
import type { OracleOrder } from './oracleOrders.ts'
import { addressIn } from './oracleRpc.ts'

type At = { chain: OracleChain; deployment: OracleDeployment }

const UNCAPPED = 2n ** 256n - 1n
const BPS = 10_000n

/** Null for a vault in deprecation, which takes no deposits any more. */
export async function supplyCap({ chain, deployment }: At): Promise<SupplyCapRow | null> {
  if (deployment.inDeprecation) return null
  const { decimals, one, rate } = await basics({ chain, deployment })
  const supply = await chain.ask({ to: deployment.vault }, 'totalSupply()')
  const to = deployment.depositor
  const [[inBase], [ownCap = UNCAPPED]] = await Promise.all([
    chain.try({ to }, 'supplyCapInBase()').then((words) => words ?? []),
    chain.try({ to }, 'supplyCap()').then((words) => words ?? []),
  ])
  const isInShares = inBase === undefined && deployment.capIn === 'shares' && ownCap !== UNCAPPED
  const cap = isInShares ? (ownCap * rate) / one : (inBase ?? ownCap)
  const total = (supply * rate) / one
  const isCapped = cap !== UNCAPPED
  return {
    ...placeOf(deployment),
    totalSupplyInBase: human(total, decimals),
    supplyCap: isCapped ? human(cap, decimals) : null,
    percentageFilled: isCapped ? (cap === 0n ? '100.0000' : ratio(total * 100n, cap, 4)) : null,
  }
}

/** Null for a vault in deprecation without shares of the user. */
export async function userPosition(
  at: At & { orders: OracleOrder[]; chains: OracleChain[] },
  user: string,
): Promise<UserPositionRow | null> {
  const { chain, deployment } = at
  const { decimals, one, rate } = await basics({ chain, deployment })
  const shares = await chain.ask({ to: deployment.vault }, 'balanceOf(address)', [user])
  if (deployment.inDeprecation && shares === 0n) return null
  const value = (shares * rate) / one
  const costs = await accountCosts(at)
  const { cost, earned, hasTransferred } = costs.get(user.toLowerCase()) ?? NO_COST
  return {
    ...placeOf(deployment),
    shareBalance: String(shares),
    positionValueInBase: human(value, decimals),
    baseAssetAddress: getAddress(deployment.base),
    exchangeRateToBase: human(rate, decimals),
    costBasis: human(cost / one, decimals),
    realisedEarnings: human(earned / one, decimals),
    unrealisedEarnings: human(value - cost / one, decimals),
    hasTransferredShares: hasTransferred,
    valueUsd: await usdValue(at, value),
    assetMetadata: deployment.baseMetadata,
  }
}

const NO_COST = { cost: 0n, earned: 0n, hasTransferred: false }

/** By the feed's newest round; null without one that is young enough. */
async function usdValue({ deployment, chains }: At & { chains: OracleChain[] }, value: bigint) {
  const { usdFeed, baseMetadata } = deployment
  const chain = chains.find(({ chainId }) => chainId === usdFeed?.chainId)
  if (!usdFeed || !chain) return null
  const to = usdFeed.address
  const [, answer = 0n, , updatedAt = 0n] = (await chain.try({ to }, 'latestRoundData()')) ?? []
  const decimals = Number(await chain.ask({ to }, 'decimals()'))
  if (Date.now() / 1_000 - Number(updatedAt) > usdFeed.maxAgeSeconds) return null
  return {
    amount: human((value * answer) / 10n ** BigInt(baseMetadata.decimals), decimals),
    feed: `${usdFeed.chainId}:${getAddress(to)}`,
    updatedAt: isoTime(Number(updatedAt)),
  }
}

export async function vaultComposition({ chain, deployment }: At): Promise<VaultCompositionRow> {
  const { decimals } = await basics({ chain, deployment })
  const assets = new Set([
    ...deployment.assets,
    ...(deployment.isBaseToken ? [deployment.base] : []),
  ])
  const holdings = await Promise.all(
    [...assets].map((asset) => readHolding({ chain, deployment }, asset)),
  )
  const held = holdings
    .filter((holding) => holding !== null)
    .toSorted((a, b) =>
      a.value === b.value ? compareText(a.asset, b.asset) : a.value < b.value ? 1 : -1,
    )
  const shares = weights(held.map(({ value }) => value))
  return {
    ...placeOf(deployment),
    timestamp: isoTime(chain.head.time),
    components: held.map(({ asset, amount, assetDecimals, value }, place) => ({
      assetAddress: getAddress(asset),
      amount: human(amount, assetDecimals),
      value: human(value, decimals),
      valueAsset: deployment.baseSymbol,
      weight: shares[place] ?? '',
      positionKind: 'ASSET',
      instrumentType: 'ERC20',
      positionRef: { type: 'TOKEN', id: `${chain.chainId}:${getAddress(asset)}` },
    })),
  }
}

/** Null if the vault has none of the asset, or its accountant has no rate for it. */
async function readHolding({ chain, deployment }: At, asset: string) {
  const { vault, base } = deployment
  const accountant = inUse(deployment)
  const [amount, assetDecimals, data, baseDecimals] = await Promise.all([
    chain.ask({ to: asset }, 'balanceOf(address)', [vault]),
    chain.ask({ to: asset }, 'decimals()'),
    chain.try({ to: accountant }, 'rateProviderData(address)', [asset]),
    chain.ask({ to: accountant }, 'decimals()'),
  ])
  if (amount === 0n) return null
  const [isPegged = 0n, provider = 0n] = data ?? []
  const held = { asset, amount, assetDecimals: Number(assetDecimals) }
  if (asset === base) return { ...held, value: amount }
  const scaled = amount * 10n ** baseDecimals
  if (isPegged === 1n) return { ...held, value: scaled / 10n ** assetDecimals }
  if (provider === 0n) return null
  // The price of a whole unit in the base asset, in the asset's own decimals.
  const worth = await chain.ask({ to: addressIn(provider) }, 'getRate()')
  return { ...held, value: (scaled * worth) / 10n ** (2n * assetDecimals) }
}

/** The assets of which a deployment's pending requests would be paid more than its vault has. */
export async function liquidityShortfalls(
  at: At,
  orders: OracleOrder[],
): Promise<LiquidityShortfallRow[]> {
  const { chain, deployment } = at
  const pending = orders.filter(({ status }) => status === 'PENDING')
  const perAsset = [...Map.groupBy(pending, ({ wantAsset }) => wantAsset)]
  const rows = await Promise.all(
    perAsset.map(async ([asset, wanting]) => {
      const [payouts, balance] = await Promise.all([
        Promise.all(wanting.map((order) => payoutOf(at, order))),
        chain.ask({ to: asset }, 'balanceOf(address)', [deployment.vault]),
      ])
      const demand = payouts.reduce<bigint>((sum, payout) => sum + (payout ?? 0n), 0n)
      const shares = wanting.reduce((sum, { offerAmount }) => sum + offerAmount, 0n)
      if (demand <= balance) return null
      return {
        ...placeOf(deployment),
        assetAddress: getAddress(asset),
        pendingOrderCount: wanting.length,
        pendingShares: String(shares),
        pendingAssets: String(demand),
        vaultBalance: String(balance),
        shortfall: String(demand - balance),
        // As of requests: none of the histories is worth less than a base unit.
        blockedBy: null,
      }
    }),
  )
  return rows
    .filter((row) => row !== null)
    .toSorted((a, b) => compareText(a.assetAddress.toLowerCase(), b.assetAddress.toLowerCase()))
}

/** Null where the fee takes all of the shares. */
export async function payoutOf(at: At, order: OracleOrder): Promise<bigint | null> {
  const { one } = await basics(at)
  const [rate, fee] = await Promise.all([
    at.chain.ask({ to: inUse(at.deployment) }, 'getRateInQuote(address)', [order.wantAsset]),
    feeOf(at, order),
  ])
  return fee >= order.offerAmount ? null : ((order.offerAmount - fee) * rate) / one
}

/** By the queue's own module. If it has no rate while the accountant is paused, computed from its charges. */
async function feeOf(at: At, { queue, offerAmount, wantAsset, receiver }: OracleOrder) {
  const { chain, deployment } = at
  const module = addressIn(await chain.ask({ to: queue }, 'feeModule()'))
  if (BigInt(module) === 0n) return 0n
  const [fee] =
    (await chain.try({ to: module }, 'calculateOfferFees(uint256,address,address,address)', [
      offerAmount,
      deployment.vault,
      wantAsset,
      receiver,
    ])) ?? []
  return fee ?? feeByTerms(at, { module, offerAmount, wantAsset })
}

type Charged = { module: string; offerAmount: bigint; wantAsset: string }

/** The arithmetic of WithdrawQueueAssetSpecificFeeModule, at the rate that is also given while paused. */
export async function feeByTerms(at: At, { module, offerAmount, wantAsset }: Charged) {
  const { chain, deployment } = at
  const { one } = await basics(at)
  const [terms, rate] = await Promise.all([
    chain.try({ to: module }, 'withdrawTokenFeeData(address)', [wantAsset]),
    chain.ask({ to: inUse(deployment) }, 'getRateInQuote(address)', [wantAsset]),
  ])
  const [bps = 0n, flat = 0n] = terms ?? []
  return ceiling(offerAmount * bps, BPS) + ceiling(flat * one, rate)
}

function ceiling(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

async function basics({ chain, deployment }: At) {
  const [decimals, rate] = await Promise.all([
    chain.ask({ to: deployment.vault }, 'decimals()'),
    chain.ask({ to: inUse(deployment) }, 'getRate()'),
  ])
  return { decimals: Number(decimals), one: 10n ** decimals, rate }
}

function inUse({ accountants }: OracleDeployment): string {
  return accountants.at(-1)?.address ?? ''
}

function placeOf({ vault, chainId }: OracleDeployment) {
  return { vaultAddress: getAddress(vault), chainId }
}
