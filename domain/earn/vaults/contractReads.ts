import { type Address, type PublicClient, zeroAddress } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAbi } from '../../../abis/depositor.ts'
import { tellerAAbi, tellerAbi } from '../../../abis/teller.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import { mustRead, tryRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import type { EarnDeployment } from './deployments.ts'

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

/**
 * Whether an asset can be deposited (by the deployment's teller) and withdrawn (by the queue's teller). Without a source of its
 * rate, neither.
 */
export async function readDirections(
  client: PublicClient,
  known: KnownAddresses,
  { deployment, asset }: Traded,
): Promise<{ depositable: boolean; withdrawable: boolean }> {
  const [{ depositable }, { withdrawable }, source] = await Promise.all([
    readSupport(client, deployment.teller, asset),
    readQueueSupport(client, known, { deployment, asset }),
    readRateSource(client, deployment, asset),
  ])
  return {
    depositable: depositable && source !== null,
    withdrawable: withdrawable && source !== null,
  }
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
