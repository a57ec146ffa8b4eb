import { join } from 'node:path'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  erc20Abi,
  type Hex,
  type LocalAccount,
  parseAbi,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { type Artifacts, compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { NO_ATTESTATION } from '../../devnet/vaults/depositInto.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { SmartDepositFactory } from '../../domain/smartDeposit/smartDepositAddress.ts'

export const { vaultDeployer: owner, recovery: recoveryWallet, integrator: keeper } = DEVNET_ACTORS
export const guardian = userAt(7)
export const FORMS = { NONE: 0, PLAIN: 1, ATTESTED: 2 } as const

export type AccountKey = {
  destination: Address
  vault: Address
  inputToken: Address
  customer: Hex
}
type Writes =
  | 'forward'
  | 'refund'
  | 'recover'
  | 'setRoute'
  | 'setKeeper'
  | 'setGuardian'
  | 'dismissKeeper'
  | 'stopRoute'
  | 'pause'
  | 'unpause'
  | 'transferOwnership'
  | 'acceptOwnership'
  | 'renounceOwnership'

const root = join(import.meta.dirname, '../..')
const mintAbi = parseAbi(['function mint(address[] to, uint256 each)'])

let payments = 0
/** A payment that was never settled. */
export function nextPayment(): Hex {
  payments += 1
  return toHex(payments, { size: 32 })
}

export function keyOf(key: Partial<AccountKey> & Pick<AccountKey, 'vault' | 'inputToken'>) {
  return { destination: userAt(3).address, customer: zeroHash, ...key }
}

/** The factory, newly created on chain 1 with one keeper, and its users. */
export async function createFactory(world: World) {
  const client = worldClient(world, 1)
  const compiled = (folder: string): Promise<Artifacts> => compileContracts(join(root, folder))
  const artifacts = { ...(await compiled('test/contracts')), ...(await compiled('contracts')) }

  async function create(contract: string, args: unknown[] = []): Promise<Address> {
    const { abi = [], bytecode = '0x' } = artifacts[contract] ?? {}
    const hash = await client.deployContract({ account: owner, abi, bytecode, args })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    if (!contractAddress) throw new Error(`${contract} was not created`)
    return contractAddress
  }

  const address = await create('SmartDepositFactory', [
    owner.address,
    guardian.address,
    recoveryWallet.address,
  ])
  const factory = { address, abi: smartDepositFactoryAbi } as const

  /** Throws viem's error, with its decoded revert. */
  async function write(account: LocalAccount, functionName: Writes, args: readonly unknown[]) {
    // Cast, because viem's types need the arguments of one of the functions.
    const call = { ...factory, account, functionName, args } as never
    await client.simulateContract(call)
    const hash = await client.writeContract(call)
    return client.waitForTransactionReceipt({ hash })
  }

  /** The name and arguments of the error of its revert; null if it succeeds. */
  async function revertOf(account: LocalAccount, functionName: Writes, args: readonly unknown[]) {
    try {
      // Cast, because viem's types need the arguments of one of the functions.
      await client.simulateContract({ ...factory, account, functionName, args } as never)
      return null
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
      const reverted = error.walk((one) => one instanceof ContractFunctionRevertedError)
      if (!(reverted instanceof ContractFunctionRevertedError)) throw error
      return reverted.data?.errorName ?? reverted.reason ?? reverted.signature ?? 'unknown'
    }
  }

  const implementation = await client.readContract({ ...factory, functionName: 'implementation' })
  await write(owner, 'setKeeper', [keeper.address, true])
  return {
    client,
    create,
    factory,
    write,
    revertOf,
    artifacts,
    origin: { address, implementation, generation: 'A' } satisfies SmartDepositFactory,
    accountOf: (key: AccountKey) =>
      client.readContract({ ...factory, functionName: 'accountOf', args: [key] }),
    isSettled: (payment: Hex) =>
      client.readContract({ ...factory, functionName: 'isSettled', args: [payment] }),
    balance: (token: Address, account: Address) =>
      client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      }),
    async mint(token: Address, to: Address, amount: bigint) {
      const { deployer: account } = DEVNET_ACTORS
      const hash = await client.writeContract({
        account,
        address: token,
        abi: mintAbi,
        functionName: 'mint',
        args: [[to], amount],
      })
      await client.waitForTransactionReceipt({ hash })
    },
  }
}

export type FactoryWorld = Awaited<ReturnType<typeof createFactory>>

/** The arguments of a forward into a vault that requires no attestation. */
export function termsOf(amount: bigint, minimumMint = 0n) {
  return { amount, minimumMint, distributorCode: toHex('causeway'), attestation: NO_ATTESTATION }
}

export const NATIVE = zeroAddress
