import { join } from 'node:path'
import { type Address, maxUint256, zeroAddress } from 'viem'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { VAULT_CHAINS, type VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { POLICY_ID } from '../../devnet/vaults/plan.ts'
import type { DevnetClient } from '../../devnet/world.ts'

/** The builds of depositors of generation B, and the unit of their caps in the address book. */
export const BUILDS_OF_B = {
  DepositorBInShares: 'shares',
  DepositorBInValue: 'value',
  DepositorBHybrid: 'value',
} as const
export type BuildOfB = keyof typeof BUILDS_OF_B
export const BUILDS = Object.keys(BUILDS_OF_B) as BuildOfB[]

const ROOT = join(import.meta.dirname, '..', '..')
const account = DEVNET_ACTORS.vaultDeployer

/**
 * Gives the depositor in use the bytecode of a build of generation B, of the same teller. Its address,
 * permissions and stored settings stay: the builds store them alike.
 */
export async function placeDepositorB(
  client: DevnetClient,
  { chainId, authority, current }: VaultDeployment,
  build: BuildOfB,
): Promise<void> {
  const terms = {
    nativeWrapper: zeroAddress,
    feeModule: zeroAddress,
    feeRecipient: DEVNET_ACTORS.feeRecipient.address,
    supplyCap: maxUint256,
    registry: VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.registry,
    policyID: POLICY_ID,
  }
  const args = [account.address, authority, current.teller, terms]
  const address = await create(client, build, args)
  const bytecode = (await client.getCode({ address })) ?? '0x'
  await client.setCode({ address: current.depositor, bytecode })
}

/** A fee module with one rate, as depositors of generation B had. */
export function createSimpleFeeModule(client: DevnetClient, bps: bigint): Promise<Address> {
  return create(client, 'SimpleFeeModule', [bps])
}

async function create(client: DevnetClient, contract: string, args: unknown[]): Promise<Address> {
  const artifacts = await compileContracts(join(ROOT, 'devnet', 'contracts'))
  const { abi = [], bytecode = '0x' } = artifacts[contract] ?? {}
  const hash = await client.deployContract({ account, abi, bytecode, args })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error(`${contract} was not created`)
  return contractAddress
}

type Listed = { address: string; generation: string; capIn?: 'shares' | 'value' | undefined }
type ListedBook = {
  vaults?: { name: string; deployments: { chainId: number; depositors: Listed[] }[] }[] | undefined
}

/** Lists a deployment's depositor in use as one of generation B. */
export function listAsB(
  { vaults = [] }: ListedBook,
  of: { name: string; chainId: number; build: BuildOfB },
): void {
  const { deployments = [] } = vaults.find(({ name }) => name === of.name) ?? {}
  const inUse = deployments.find(({ chainId }) => chainId === of.chainId)?.depositors.at(-1)
  if (!inUse) throw new Error(`${of.name} has no depositor on chain ${of.chainId}`)
  Object.assign(inUse, { generation: 'B', capIn: BUILDS_OF_B[of.build] })
}
