import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  zeroHash,
} from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import type { FactoryWorld } from './factoryWorld.ts'

export const DAY_SECONDS = 86_400

const timelockAbi = parseAbi([
  'function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function execute(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt)',
  'function cancel(bytes32 id)',
  'function hashOperation(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) view returns (bytes32)',
  'error TimelockUnexpectedOperationState(bytes32 operationId, bytes32 expectedStates)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
])

type Setter = 'setRoute' | 'setKeeper' | 'setGuardian' | 'acceptOwnership'

/** The calls of a timelock that owns a factory. */
export function timelockOf({ client }: FactoryWorld, timelock: Address, factory: Address) {
  const contract = { address: timelock, abi: timelockAbi } as const
  const operation = (functionName: Setter, args: readonly unknown[]) => {
    // Cast, because viem's types need the arguments of one of the functions.
    const call = { abi: smartDepositFactoryAbi, functionName, args } as never
    return [factory, 0n, encodeFunctionData(call), zeroHash, zeroHash] as const
  }
  async function write(account: LocalAccount, functionName: string, args: readonly unknown[]) {
    // Cast, because viem's types need the arguments of one of the functions.
    const call = { ...contract, account, functionName, args } as never
    await client.simulateContract(call)
    const hash = await client.writeContract(call)
    await client.waitForTransactionReceipt({ hash })
  }
  return {
    schedule: (account: LocalAccount, setter: Setter, args: readonly unknown[]) =>
      write(account, 'schedule', [...operation(setter, args), BigInt(DAY_SECONDS)]),
    execute: (account: LocalAccount, setter: Setter, args: readonly unknown[]) =>
      write(account, 'execute', operation(setter, args)),
    async cancel(account: LocalAccount, setter: Setter, args: readonly unknown[]) {
      const call = { ...contract, functionName: 'hashOperation' } as const
      const id: Hex = await client.readContract({ ...call, args: operation(setter, args) })
      await write(account, 'cancel', [id])
    },
  }
}
