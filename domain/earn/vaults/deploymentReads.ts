import { type Address, maxUint256, type PublicClient, zeroAddress } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAbi, depositorBAbi } from '../../../abis/depositor.ts'
import { feeModuleAbi } from '../../../abis/feeModule.ts'
import { tellerAAbi, tellerAbi } from '../../../abis/teller.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import { mustRead, RefusedRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import type { EarnDeployment } from './deployments.ts'

/** In base; what has none (generation A) is uncapped. Generation B calls it otherwise, which tells it. */
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

/** Whether a deposit of this asset needs an attestation; generation A asks for none. */
export async function readKyt(
  client: PublicClient,
  { depositor }: EarnDeployment,
  asset: Address,
): Promise<boolean> {
  const call = { address: depositor, abi: depositorAbi, functionName: 'kytEnabled' } as const
  return (await tryRead(client, { ...call, args: [asset] })) ?? false
}

/** What a teller does with an asset; its generation A has one flag for both directions. */
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

/** What a deployment does with an asset: it goes in by its teller, and out by the one that its queue asks. */
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

/** What the teller that the queue asks does with an asset. */
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

/**
 * Where an accountant has the rate of an asset from: a provider, or null for what is worth its unit of the
 * base.
 */
export type RateSource = { provider: Address | null }

/** Null for an asset of which the accountant knows no rate. Throws `RefusedRead` for what is none. */
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

/** What a queue takes of an order, in shares; null where its module refuses to say. */
export function readOrderFee(
  client: PublicClient,
  module: Address | null,
  { vault, shares, asset }: { vault: Address; shares: bigint; asset: Address },
): Promise<bigint | null> {
  if (module === null) return Promise.resolve(0n)
  // Whoever receives pays the same.
  const args = [shares, vault, asset, zeroAddress] as const
  const call = { address: module, abi: feeModuleAbi, functionName: 'calculateOfferFees' } as const
  return tryRead(client, { ...call, args })
}

/** Where a module says what it takes of an asset. */
export type FeeSource = { module: Address; of: 'depositTokenFeeData' | 'withdrawTokenFeeData' }

/**
 * What a fee module takes of an asset: a rate, and a flat fee in units of that asset. Throws
 * `RefusedRead` for what is no fee module.
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

/** What a queue takes of an order, by its module, null for none. Throws `RefusedRead` as `readFee` does. */
export async function readWithdrawFee(
  client: PublicClient,
  module: Address | null,
  asset: Address,
): Promise<{ bps: bigint; flat: bigint }> {
  if (module === null) return { bps: 0n, flat: 0n }
  return readFee(client, asset, { module, of: 'withdrawTokenFeeData' })
}
