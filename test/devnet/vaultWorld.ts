import { join } from 'node:path'
import {
  type Abi,
  type Account,
  type Address,
  encodeFunctionData,
  parseAbi,
  type TransactionReceipt,
} from 'viem'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { VAULT_ROLES } from '../../devnet/vaults/roles.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { startTestWorld } from '../support/anvils.ts'
import { type Call, send } from './stationWorld.ts'

export const { tokens } = DEPLOYMENT
export const { vaultDeployer: owner, deployer: minter, ...actors } = DEVNET_ACTORS
/** With fees, a cap, attestations and a freeze hook; 18 decimals. */
export const prime = vaultDeployment('Harbor Prime', 1)

export type VaultWorld = World & { stop(): Promise<void> }

/** Chain 1 with its vaults, or the given chains. */
export async function startVaultWorld(chainIds: number[] = [1]): Promise<VaultWorld> {
  const { world, stop } = await startTestWorld(chainIds, { withVaults: true })
  return { ...world, stop }
}

/** A call as `send` and `revertOf` take it. */
export function callOf(
  account: Account,
  address: Address,
  abi: Abi | readonly unknown[],
  functionName: string,
  args: readonly unknown[] = [],
): Call {
  const data = encodeFunctionData({ abi: abi as Abi, functionName, args })
  return { account, address, data }
}

/** Grants or takes a role of a vault. */
export function setRole(world: World, user: Address, role: keyof typeof VAULT_ROLES, isOn = true) {
  const args = [user, VAULT_ROLES[role], isOn]
  return send(world, 1, callOf(owner, prime.authority, ROLES, 'setUserRole', args))
}

const ROLES = parseAbi(['function setUserRole(address user, uint8 role, bool enabled)'])

/** Creates one of the local contracts on chain 1. */
export async function create(world: World, contract: string, args: unknown[]): Promise<Address> {
  const root = join(import.meta.dirname, '..', '..')
  const artifacts = await compileContracts(join(root, 'devnet', 'contracts'))
  const found = artifacts[contract]
  if (!found) throw new Error(`no contract ${contract}`)
  const client = worldClient(world, 1)
  const { abi, bytecode } = found
  const hash = await client.deployContract({ account: owner, abi, bytecode, args })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error(`${contract} was not created`)
  return contractAddress
}

export type Receipt = TransactionReceipt
