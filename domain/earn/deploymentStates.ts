import { type Address, BaseError, type PublicClient, zeroAddress } from 'viem'
import { vaultAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import type { AddressBook, AddressBookChain } from '../addressBook/addressBook.ts'
import { readBlockTime } from '../chain/blockTime.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { findChain } from '../chain/findChain.ts'
import { apart, mustRead, RefusedRead } from '../chain/gatheredReads.ts'
import type { KnownAddresses } from '../chain/knownAddresses.ts'
import { unlessRefused } from '../chain/revert.ts'
import { createSharedReads } from '../chain/sharedReads.ts'
import {
  type FeeSource,
  followDepositFeeModule,
  followWithdrawFeeModule,
  readDirections,
  readFee,
  readKyt,
  readSupplyCap,
} from './deploymentReads.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'

/** What a deployment says of itself on its chain. Amounts are base units, addresses lower case. */
export type DeploymentState = {
  /** Of the shares, and of the base. */
  decimals: number
  requiresKyt: boolean
  /** 2^256-1 where there is none. In base. */
  supplyCapInBase: bigint
  /** Shares. */
  minimumOrderSize: bigint
  /** Null where nothing is charged. */
  depositFeeModule: Address | null
  withdrawFeeModule: Address | null
  /** Who says who may call what of the vault; null where only its owner may. */
  authority: Address | null
  assets: AssetState[]
}

export type AssetState = {
  address: Address
  depositable: boolean
  withdrawable: boolean
  depositFeeBps: bigint
  withdrawFeeBps: bigint
}

export type DeploymentStates = {
  /**
   * All deployments of a chain that answer, by vault, at most 20 s ago. Throws `RPC_UNAVAILABLE`.
   */
  get(chainId: number): Promise<Map<Address, DeploymentState>>
}

/** interface.md allows discovery 30 s; an answer may be kept for 10 of them. */
const LIFE_MS = 20_000
/** Who asks next need not wait for a chain that has just been silent. */
const FAILURE_LIFE_MS = 2_000

/** Reads all deployments of a chain in one multicall, which everybody who asks shares. */
export function createDeploymentStates(
  book: AddressBook,
  { chains, known }: { chains: ChainClients; known: KnownAddresses },
): DeploymentStates {
  async function read(client: PublicClient, chainId: number) {
    const deployments = earnDeployments(book).filter((entry) => entry.chainId === chainId)
    const chain = findChain(book, chainId)
    const states = await readAll(client, { chain, known, deployments })
    return new Map(
      deployments.flatMap(({ vault }, index): [Address, DeploymentState][] => {
        const state = states[index]
        return state ? [[vault, state]] : []
      }),
    )
  }

  return createSharedReads(
    { keyOf: String, max: 1_000, lifeMs: LIFE_MS, failureLifeMs: FAILURE_LIFE_MS },
    (chainId: number) => chains.read(chainId, (client) => read(client, chainId)),
  )
}

type Chain = { chain: AddressBookChain; known: KnownAddresses; deployments: EarnDeployment[] }

/** All in one call; where one of them spoils that, each in its own. Null for one that cannot be read. */
async function readAll(
  client: PublicClient,
  { chain, known, deployments }: Chain,
): Promise<(DeploymentState | null)[]> {
  const read = (of: PublicClient, deployment: EarnDeployment) =>
    // What one of them refuses to say must not hide the others.
    readDeployment(of, known, deployment).catch(unlessRefusedRead)
  const together = await unlessRefused(
    Promise.all([
      Promise.all(deployments.map((deployment) => read(client, deployment))),
      readBlockTime(client, chain),
    ]),
  )
  if (together) return together[0]
  const [each] = await Promise.all([
    Promise.all(deployments.map((deployment) => unlessRefused(read(apart(client), deployment)))),
    readBlockTime(apart(client), chain),
  ])
  if (each.every((state) => state === null))
    throw new BaseError(`No deployment of chain ${chain.id} can be read`)
  return each
}

async function readDeployment(
  client: PublicClient,
  known: KnownAddresses,
  deployment: EarnDeployment,
): Promise<DeploymentState> {
  const { vault, queue } = deployment
  const assets = deployment.assets.map(({ address }) => address)
  const [
    decimals,
    { supplyCapInBase },
    minimumOrderSize,
    kyt,
    deposit,
    withdraw,
    supported,
    authority,
  ] = await Promise.all([
    mustRead(client, { address: vault, abi: vaultAbi, functionName: 'decimals' }),
    readSupplyCap(client, deployment),
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
    mustRead(client, { address: vault, abi: vaultAbi, functionName: 'authority' }),
  ])
  return {
    decimals,
    supplyCapInBase,
    minimumOrderSize,
    requiresKyt: kyt.some((isEnabled, index) => isEnabled && supported[index]?.depositable),
    depositFeeModule: deposit.module,
    withdrawFeeModule: withdraw.module,
    authority: authority === zeroAddress ? null : (authority.toLowerCase() as Address),
    assets: assets.map((address, index) => ({
      address,
      depositable: supported[index]?.depositable ?? false,
      withdrawable: supported[index]?.withdrawable ?? false,
      depositFeeBps: deposit.bps[index] ?? 0n,
      withdrawFeeBps: withdraw.bps[index] ?? 0n,
    })),
  }
}

function unlessRefusedRead(error: unknown): null {
  if (error instanceof RefusedRead) return null
  throw error
}

/** A rate above it is none: who answers so is no fee module. */
const ALL_BPS = 10_000n

type MaybeFees = { module: Address | null; of: FeeSource['of'] }

async function readFees(client: PublicClient, assets: Address[], { module, of }: MaybeFees) {
  if (module === null) return { module, bps: [] }
  const fees = await Promise.all(assets.map((asset) => readFee(client, asset, { module, of })))
  if (fees.some(({ bps }) => bps > ALL_BPS)) throw new RefusedRead(module, of)
  return { module, bps: fees.map(({ bps }) => bps) }
}
