import { type Address, maxUint256, type PublicClient } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { vaultAbi } from '../../../abis/vault.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { ChainReading } from '../../chain/chainReading.ts'
import { mustRead, RefusedRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { readDepositPath, readQueuePath } from './contractPath.ts'
import { readDirections, readKyt } from './contractReads.ts'
import { createDeploymentCache, type DeploymentCache } from './deploymentCache.ts'
import type { EarnDeployment } from './deployments.ts'
import { capInBase, readDepositorCap } from './depositorCap.ts'
import {
  type FeeSource,
  followDepositFeeModule,
  followWithdrawFeeModule,
  readFee,
} from './feeModuleReads.ts'

/** The state and terms of a deployment, from its chain. Amounts are base units, addresses lower case. */
export type DeploymentState = {
  /** The decimals of the shares. */
  decimals: number
  requiresKyt: boolean
  /** In base, at the present rate if the cap is in shares; 2^256-1 without a cap. */
  supplyCapInBase: bigint
  /** Shares. */
  totalSupply: bigint
  /** Base units of the base per whole share, also while the accountant is paused. */
  exchangeRate: bigint
  /** Shares. */
  minimumOrderSize: bigint
  /** Null if no fee is charged. */
  depositFeeModule: Address | null
  withdrawFeeModule: Address | null
  assets: AssetState[]
}

export type AssetState = {
  address: Address
  depositable: boolean
  withdrawable: boolean
  depositFeeBps: bigint
  /** Base units of the asset, in addition to `depositFeeBps`. */
  depositFlatFee: bigint
  withdrawFeeBps: bigint
}

/** The state of every deployment, chain by chain, for discovery. */
export function createDeploymentStateCache(
  book: AddressBook,
  { known, ...reading }: ChainReading & { known: KnownAddresses },
): DeploymentCache<DeploymentState> {
  return createDeploymentCache(book, reading, {
    name: 'deployment_states',
    read: (client, deployment) => readDeployment(client, known, deployment),
  })
}

async function readDeployment(
  client: PublicClient,
  known: KnownAddresses,
  deployment: EarnDeployment,
): Promise<DeploymentState> {
  const { vault, queue, accountant } = deployment
  const assets = deployment.assets.map(({ address }) => address)
  const [
    decimals,
    cap,
    totalSupply,
    exchangeRate,
    minimumOrderSize,
    kyt,
    deposit,
    withdraw,
    supported,
    isDepositConnected,
    isQueueConnected,
  ] = await Promise.all([
    mustRead(client, { address: vault, abi: vaultAbi, functionName: 'decimals' }),
    readDepositorCap(client, deployment),
    mustRead(client, { address: vault, abi: vaultAbi, functionName: 'totalSupply' }),
    mustRead(client, { address: accountant, abi: accountantAbi, functionName: 'getRate' }),
    mustRead(client, {
      address: queue,
      abi: withdrawQueueAbi,
      functionName: 'minimumOrderSize',
    }),
    Promise.all(assets.map((asset) => readKyt(client, deployment, asset))),
    followDepositFeeModule(client, known, deployment, (module) =>
      readFees(client, assets, { module, of: 'depositTokenFeeData' }),
    ),
    followWithdrawFeeModule(client, known, deployment, (module) =>
      readFees(client, assets, { module, of: 'withdrawTokenFeeData' }),
    ),
    Promise.all(assets.map((asset) => readDirections(client, known, { deployment, asset }))),
    readDepositPath(client, known, deployment),
    readQueuePath(client, known, deployment),
  ])
  return {
    decimals,
    supplyCapInBase: cap
      ? capInBase(cap, cap.amount, { rate: exchangeRate, decimals })
      : maxUint256,
    totalSupply,
    exchangeRate,
    minimumOrderSize,
    requiresKyt: kyt.some((isEnabled, index) => isEnabled && supported[index]?.depositable),
    depositFeeModule: deposit.module,
    withdrawFeeModule: withdraw.module,
    assets: assets.map((address, index) => ({
      address,
      depositable: isDepositConnected && supported[index]?.depositable === true,
      withdrawable: isQueueConnected && supported[index]?.withdrawable === true,
      depositFeeBps: deposit.fees[index]?.bps ?? 0n,
      depositFlatFee: deposit.fees[index]?.flat ?? 0n,
      withdrawFeeBps: withdraw.fees[index]?.bps ?? 0n,
    })),
  }
}

/** A contract that answers with a higher rate is no fee module. */
const ALL_BPS = 10_000n

type MaybeFees = { module: Address | null; of: FeeSource['of'] }

async function readFees(client: PublicClient, assets: Address[], { module, of }: MaybeFees) {
  if (module === null) return { module, fees: [] }
  const fees = await Promise.all(assets.map((asset) => readFee(client, asset, { module, of })))
  if (fees.some(({ bps }) => bps > ALL_BPS)) throw new RefusedRead(module, of)
  return { module, fees }
}
