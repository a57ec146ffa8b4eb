import { join } from 'node:path'
import { type Address, maxUint256, zeroAddress } from 'viem'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { VAULT_CHAINS, type VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { POLICY_ID } from '../../devnet/vaults/plan.ts'
import { PUBLIC_FUNCTIONS, VAULT_ROLES } from '../../devnet/vaults/roles.ts'
import { type KeeperWorld, owner } from './keeperWorld.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Deploys another depositor for a vault; it works once `grant` gives it the rights. */
export async function deploySecondDepositor(
  { client, call }: Pick<KeeperWorld, 'client' | 'call'>,
  { chainId, authority, current }: VaultDeployment,
): Promise<{ address: Address; grant(): Promise<void> }> {
  const artifacts = await compileContracts(join(ROOT, 'devnet/contracts'))
  const { abi = [], bytecode = '0x' } = artifacts.DistributorCodeDepositor ?? {}
  const registry = VAULT_CHAINS.find((chain) => chain.chainId === chainId)?.registry
  const terms = {
    nativeWrapper: zeroAddress,
    feeModule: zeroAddress,
    feeRecipient: DEVNET_ACTORS.feeRecipient.address,
    supplyCap: maxUint256,
    registry,
    policyID: POLICY_ID,
  }
  const args = [owner.address, authority, current.teller, terms]
  const hash = await client.deployContract({ account: owner, abi, bytecode, args })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the depositor was not created')
  const address = contractAddress
  return {
    address,
    async grant() {
      const role = 'function setUserRole(address,uint8,bool)'
      await call(owner, authority, [role, address, VAULT_ROLES.depositor, true])
      const open = 'function setPublicCapability(address,bytes4,bool)'
      for (const selector of PUBLIC_FUNCTIONS.depositor.HEAD)
        await call(owner, authority, [open, address, selector, true])
    },
  }
}
