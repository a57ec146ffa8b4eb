import { type Address, maxUint256, type PublicClient } from 'viem'
import { depositorAbi, depositorBAbi } from '../../abis/depositor.ts'
import { feeModuleAbi } from '../../abis/feeModule.ts'
import { tellerAAbi, tellerAbi } from '../../abis/teller.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { mustRead, tryRead } from '../chain/gatheredReads.ts'
import type { KnownAddresses } from '../chain/knownAddresses.ts'
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

/** Where a module says what it takes of an asset. */
export type FeeSource = { module: Address; of: 'depositTokenFeeData' | 'withdrawTokenFeeData' }

/** What a fee module takes of an asset: a rate, and a flat fee in units of that asset. */
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
  const [bps, flat] = data ?? [forAll ?? 0n, 0n]
  return { bps, flat }
}
