import { join } from 'node:path'
import {
  type Address,
  concatHex,
  encodeDeployData,
  getContractAddress,
  type Hex,
  zeroHash,
} from 'viem'
import { type Artifacts, artifactOf, compileContracts } from '../../contracts/compileContracts.ts'
import type { FactorySettings } from './settings.ts'

/** Creates contracts at addresses that depend on their code alone. Its transaction is known for every chain. */
export const DEPLOYMENT_PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** A contract that the proxy creates. */
export type PlannedContract = {
  name: string
  address: Address
  /** The calldata for the proxy: the salt and the creation code. */
  data: Hex
  /** Its code, with zeros where its immutable values are. */
  template: Hex
}

/** The timelock, and the factory with the code behind its accounts. */
export type FactoryPlan = {
  timelock: PlannedContract
  factory: PlannedContract
  implementation: Pick<PlannedContract, 'name' | 'address' | 'template'>
}

/** The contracts that these settings create, the same on every chain. */
export async function planFactory(settings: FactorySettings): Promise<FactoryPlan> {
  const artifacts = await compileContracts(join(import.meta.dirname, '..', '..', 'contracts'))
  const { operator, guardian, recoveryWallet, station } = settings
  const timelock = planned(artifacts, 'SmartDepositTimelock', [
    BigInt(settings.timelockDelaySeconds),
    operator,
    guardian,
  ])
  const factory = planned(artifacts, 'SmartDepositFactoryB', [
    timelock.address,
    guardian,
    {
      recoveryWallet,
      station,
      withdrawalDelay: BigInt(settings.withdrawalDelaySeconds),
      maxTransitFeeBps: BigInt(settings.maxTransitFeeBps),
    },
  ])
  const name = 'SmartDepositAccountB'
  return {
    timelock,
    factory,
    implementation: {
      name,
      // The factory's first creation, in its constructor.
      address: getContractAddress({ from: factory.address, nonce: 1n }),
      template: artifactOf(artifacts, name).deployedBytecode,
    },
  }
}

function planned(artifacts: Artifacts, name: string, args: unknown[]): PlannedContract {
  const { abi, bytecode, deployedBytecode: template } = artifactOf(artifacts, name)
  const initCode = encodeDeployData({ abi, bytecode, args })
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: DEPLOYMENT_PROXY,
    salt: zeroHash,
    bytecode: initCode,
  })
  return { name, address, data: concatHex([zeroHash, initCode]), template }
}
