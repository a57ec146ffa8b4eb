import { type Address, type PublicClient, zeroAddress } from 'viem'
import { depositorAbi } from '../../../abis/depositor.ts'
import { feeModuleAbi } from '../../../abis/feeModule.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import { mustRead, RefusedRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import type { EarnDeployment } from './deployments.ts'

/** Reads something through the fee module of a depositor, which is null without one. Throws `RefusedRead` for another contract. */
export function followDepositFeeModule<Value>(
  client: PublicClient,
  known: KnownAddresses,
  { chainId, depositor: address }: EarnDeployment,
  read: (module: Address | null) => Promise<Value>,
): Promise<Value> {
  const depositor = { address, abi: depositorAbi } as const
  const ask = async () => {
    const [module] = await Promise.all([
      tryRead(client, { ...depositor, functionName: 'feeModule' }),
      // Old generations have neither fee nor cap. Without a getter of all, a broken contract would be taken for one of them.
      mustRead(client, { ...depositor, functionName: 'boringVault' }),
    ])
    return module
  }
  return known.follow(`depositFeeModule:${chainId}:${address}`, ask, read)
}

/** Reads something through the fee module of a queue, which is null without one. */
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
