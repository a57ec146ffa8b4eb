import { type Address, type PublicClient, zeroAddress } from 'viem'
import { vaultAbi } from '../../abis/vault.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import type { AddressBook } from '../addressBook/addressBook.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { mustRead, RefusedRead } from '../chain/gatheredReads.ts'
import type { KnownAddresses } from '../chain/knownAddresses.ts'
import { createSharedReads } from '../chain/sharedReads.ts'
import {
  type FeeSource,
  followDepositFeeModule,
  followWithdrawFeeModule,
  readFee,
  readKyt,
  readSupplyCap,
  readSupport,
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

/** Reads all deployments of a chain in one multicall, which everybody who asks shares. */
export function createDeploymentStates(
  book: AddressBook,
  { chains, known }: { chains: ChainClients; known: KnownAddresses },
): DeploymentStates {
  async function read(client: PublicClient, chainId: number) {
    const deployments = earnDeployments(book).filter((entry) => entry.chainId === chainId)
    const states = await Promise.all(
      deployments.map(async (deployment): Promise<[Address, DeploymentState][]> => {
        // What one of them refuses to say must not hide the others.
        const state = await readDeployment(client, known, deployment).catch(unlessRefusedRead)
        return state ? [[deployment.vault, state]] : []
      }),
    )
    return new Map(states.flat())
  }

  return createSharedReads({ keyOf: String, max: 1_000, lifeMs: LIFE_MS }, (chainId: number) =>
    chains.read(chainId, (client) => read(client, chainId)),
  )
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
    Promise.all(assets.map((asset) => readSupport(client, deployment.teller, asset))),
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

type MaybeFees = { module: Address | null; of: FeeSource['of'] }

async function readFees(client: PublicClient, assets: Address[], { module, of }: MaybeFees) {
  if (module === null) return { module, bps: [] }
  const fees = await Promise.all(assets.map((asset) => readFee(client, asset, { module, of })))
  return { module, bps: fees.map(({ bps }) => bps) }
}
