import { maxUint256, type PublicClient } from 'viem'
import { depositorAbi, depositorBAbi } from '../../../abis/depositor.ts'
import { tryRead } from '../../chain/gatheredReads.ts'
import type { EarnDeployment } from './deployments.ts'
import { assetsFor, ceilDiv, type ShareRate } from './shareMath.ts'

/** `amount` is shares or base units of the base; the supply may reach it. */
export type DepositorCap = { in: EarnDeployment['capIn']; amount: bigint }

/** The depositor's cap, or null without one. Generation A has none, B the one getter or the other. */
export async function readDepositorCap(
  client: PublicClient,
  { depositor, capIn }: Pick<EarnDeployment, 'depositor' | 'capIn'>,
): Promise<DepositorCap | null> {
  const [inBase, bySupplyCap] = await Promise.all([
    tryRead(client, {
      address: depositor,
      abi: depositorAbi,
      functionName: 'supplyCapInBase',
    }),
    tryRead(client, { address: depositor, abi: depositorBAbi, functionName: 'supplyCap' }),
  ])
  const amount = inBase ?? bySupplyCap ?? maxUint256
  if (amount === maxUint256) return null
  return { in: inBase === null ? capIn : 'value', amount }
}

/** Shares in the unit of a cap. */
export function measuredBy(cap: DepositorCap, shares: bigint, rate: ShareRate): bigint {
  return cap.in === 'shares' ? shares : assetsFor(shares, rate)
}

/** An amount in the unit of a cap, in base units of the base at this rate. */
export function capInBase(cap: DepositorCap, amount: bigint, rate: ShareRate): bigint {
  return cap.in === 'shares' ? assetsFor(amount, rate) : amount
}

/**
 * The most base units of the base that a deposit may still bring, after its fee. A deposit mints whole units of shares
 * and a value is floored, so this is more than the difference between the cap and the present supply.
 */
export function remainingInBase(cap: DepositorCap, totalSupply: bigint, rate: ShareRate): bigint {
  const mintable = mostShares(cap, rate) - totalSupply
  return mintable > 0n ? mostAssets(mintable, rate) : 0n
}

/** The most shares whose measure is within a cap. */
function mostShares(cap: DepositorCap, { rate, decimals }: ShareRate): bigint {
  if (cap.in === 'shares') return cap.amount
  return ceilDiv((cap.amount + 1n) * 10n ** BigInt(decimals), rate) - 1n
}

/** The most base units that mint no more than these shares. */
function mostAssets(shares: bigint, { rate, decimals }: ShareRate): bigint {
  return ceilDiv((shares + 1n) * rate, 10n ** BigInt(decimals)) - 1n
}
