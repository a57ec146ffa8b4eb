import { type Address, maxUint256, type PublicClient, zeroAddress } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAbi, depositorBAbi } from '../../../abis/depositor.ts'
import { feeModuleAbi } from '../../../abis/feeModule.ts'
import { tellerAAbi, tellerAbi } from '../../../abis/teller.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import { mustRead, RefusedRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import type { EarnDeployment } from './deployments.ts'

/** The supply cap in base; 2^256-1 without one (generation A). Generation B is known by another function's name. */
export async function readSupplyCap(
  client: PublicClient,
  { depositor }: EarnDeployment,
): Promise<{ supplyCapInBase: bigint; isOfB: boolean }> {
  const [inBase, ofB] = await Promise.all([
    tryRead(client, {
      address: depositor,
      abi: depositorAbi,
      functionName: 'supplyCapInBase',
    }),
    tryRead(client, { address: depositor, abi: depositorBAbi, functionName: 'supplyCap' }),
  ])
  return { supplyCapInBase: inBase ?? ofB ?? maxUint256, isOfB: inBase === null && ofB !== null }
}

/** Whether a deposit of this asset needs an attestation; never in generation A. */
export async function readKyt(
  client: PublicClient,
  { depositor }: EarnDeployment,
  asset: Address,
): Promise<boolean> {
  const call = { address: depositor, abi: depositorAbi, functionName: 'kytEnabled' } as const
  return (await tryRead(client, { ...call, args: [asset] })) ?? false
}

/** Whether a teller takes deposits and withdrawals of an asset. Generation A has one flag for both. */
export async function readSupport(client: PublicClient, address: Address, asset: Address) {
  const teller = { address, abi: tellerAbi, args: [asset] } as const
  const [deposit, withdraw, both] = await Promise.all([
    tryRead(client, { ...teller, functionName: 'isDepositSupported' }),
    tryRead(client, { ...teller, functionName: 'isWithdrawSupported' }),
    tryRead(client, { ...teller, abi: tellerAAbi, functionName: 'isSupported' }),
  ])
  return { depositable: deposit ?? both ?? false, withdrawable: withdraw ?? both ?? false }
}

type Traded = { deployment: EarnDeployment; asset: Address }

/** Whether an asset can be deposited (by the deployment's teller) and withdrawn (by the queue's teller). */
export async function readDirections(
  client: PublicClient,
  known: KnownAddresses,
  { deployment, asset }: Traded,
): Promise<{ depositable: boolean; withdrawable: boolean }> {
  const [{ depositable }, { withdrawable }] = await Promise.all([
    readSupport(client, deployment.teller, asset),
    readQueueSupport(client, known, { deployment, asset }),
  ])
  return { depositable, withdrawable }
}

/** Whether the queue's teller takes deposits and withdrawals of an asset. */
export function readQueueSupport(
  client: PublicClient,
  known: KnownAddresses,
  { deployment, asset }: Traded,
) {
  const { chainId, queue: address, teller } = deployment
  const call = {
    address,
    abi: withdrawQueueAbi,
    functionName: 'tellerWithMultiAssetSupport',
  } as const
  return known.follow(
    `queueTeller:${chainId}:${address}`,
    () => mustRead(client, call),
    (named) => readSupport(client, named ?? teller, asset),
  )
}

/** An accountant's source of the rate of an asset: a provider, or null for an asset pegged to the base. */
export type RateSource = { provider: Address | null }

/** Null for an asset without a rate. Throws `RefusedRead` if the accountant's address is no accountant. */
export async function readRateSource(
  client: PublicClient,
  { accountant: address, baseToken }: EarnDeployment,
  asset: Address,
): Promise<RateSource | null> {
  if (asset === baseToken) return { provider: null }
  const call = { address, abi: accountantAbi, functionName: 'rateProviderData' } as const
  const [isPegged, provider] = await mustRead(client, { ...call, args: [asset] })
  if (isPegged) return { provider: null }
  return provider === zeroAddress ? null : { provider }
}

/** Reads through the module that a depositor charges by, null for none. */
export function followDepositFeeModule<Value>(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, depositor: address }: EarnDeployment,
  read: (module: Address | null) => Promise<Value>,
): Promise<Value> {
  const call = { address, abi: depositorAbi, functionName: 'feeModule' } as const
  const ask = () => tryRead(client, call)
  return known.follow(`depositFeeModule:${chainId}:${address}`, ask, read)
}

/** Reads through the module that a queue charges by, null for none. */
export function followWithdrawFeeModule<Value>(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, queue: address }: EarnDeployment,
  read: (module: Address | null) => Promise<Value>,
): Promise<Value> {
  const call = { address, abi: withdrawQueueAbi, functionName: 'feeModule' } as const
  return known.follow(`withdrawFeeModule:${chainId}:${address}`, () => mustRead(client, call), read)
}

/** The queue's fee for a withdrawal request, in shares; null if its fee module reverts. */
export function readRequestFee(
  client: PublicClient,
  module: Address | null,
  { vault, shares, asset }: { vault: Address; shares: bigint; asset: Address },
): Promise<bigint | null> {
  if (module === null) return Promise.resolve(0n)
  // The fee does not depend on the receiver.
  const args = [shares, vault, asset, zeroAddress] as const
  const call = { address: module, abi: feeModuleAbi, functionName: 'calculateOfferFees' } as const
  return tryRead(client, { ...call, args })
}

/** A fee module, and its function with the fees of an asset. */
export type FeeSource = { module: Address; of: 'depositTokenFeeData' | 'withdrawTokenFeeData' }

/**
 * The fee of a fee module for an asset: a rate, and a flat fee in base units of that asset. Throws
 * `RefusedRead` if the address is no fee module.
 */
export async function readFee(
  client: PublicClient,
  asset: Address,
  { module, of }: FeeSource,
): Promise<{ bps: bigint; flat: bigint }> {
  const call = { address: module, abi: feeModuleAbi } as const
  const [data, forAll] = await Promise.all([
    tryRead(client, { ...call, functionName: of, args: [asset] }),
    tryRead(client, { ...call, functionName: 'offerFeePercentage' }),
  ])
  if (data) return { bps: data[0], flat: data[1] }
  if (forAll === null) throw new RefusedRead(module, of)
  return { bps: forAll, flat: 0n }
}

/** The queue's fee for an asset; 0 without a fee module. Throws `RefusedRead` like `readFee`. */
export async function readWithdrawFee(
  client: PublicClient,
  module: Address | null,
  asset: Address,
): Promise<{ bps: bigint; flat: bigint }> {
  if (module === null) return { bps: 0n, flat: 0n }
  return readFee(client, asset, { module, of: 'withdrawTokenFeeData' })
}
