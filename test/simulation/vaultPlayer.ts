import { type Abi, type Address, encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import { VAULT_CHAINS, type VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import { midnightAfter, nextBlockTime } from './blockTimes.ts'

/** A transaction of any account: the node accepts it without a signature. */
export type PlayedCall = { from: Address; to: Address; data: Hex; value?: bigint }

/** The vaults of one chain, with control of its blocks. */
export type VaultPlayer = {
  chainId: number
  random: SeededRandom
  deployments: readonly [VaultDeployment, ...VaultDeployment[]]
  nativeWrapper: Address | null
  /** Calls a view function by its human-readable signature. Throws where it reverts. */
  read<Result>(to: Address, signature: string, args?: readonly unknown[]): Promise<Result>
  /** Whether a call would succeed now. */
  passes(call: PlayedCall): Promise<boolean>
  /** Makes a block of these calls, and returns for each whether it succeeded. */
  mine(calls: PlayedCall[], block?: BlockOptions): Promise<boolean[]>
  /** Lets the node make blocks by itself again. */
  rest(): Promise<void>
}

type BlockOptions = {
  /** The gas of each call. All must fit into the block. */
  gas?: number
  /** Unix seconds; random by default. */
  time?: bigint
}

/** The gas of a call by default, and how many such calls fit into one block. */
const GAS = 3_000_000
export const MOST_IN_BLOCK = 8

/** From here on the node makes blocks only on request, and accepts transactions of any account. */
export async function createVaultPlayer(
  world: World,
  chainId: number,
  random: SeededRandom,
): Promise<VaultPlayer> {
  const client = worldClient(world, chainId)
  const chain = VAULT_CHAINS.find((candidate) => candidate.chainId === chainId)
  const [first, ...others] = chain?.deployments ?? []
  if (!first) throw new Error(`Invariant(createVaultPlayer): chain ${chainId} has no vaults`)
  const raw = (method: string, params: unknown[]) =>
    // viem types the methods that it knows.
    client.request({ method, params } as never) as Promise<unknown>
  await raw('anvil_autoImpersonateAccount', [true])
  await client.setAutomine(false)
  let time = midnightAfter((await client.getBlock()).timestamp)
  return {
    chainId,
    random,
    deployments: [first, ...others],
    nativeWrapper: chain?.nativeWrapper ?? null,
    async read<Result>(address: Address, signature: string, args: readonly unknown[] = []) {
      const abi = parseAbi([signature])
      // viem has no type for a signature that is only known at run time.
      const [{ name: functionName }] = abi as unknown as [{ name: string }]
      // The result's type follows from the signature.
      return (await client.readContract({ address, abi, functionName, args })) as Result
    },
    passes: ({ from: account, ...call }) =>
      client.call({ account, ...call }).then(
        () => true,
        () => false,
      ),
    async mine(calls, { gas = GAS, time: givenTime } = {}) {
      time = givenTime ?? nextBlockTime(random, time)
      await client.setNextBlockTimestamp({ timestamp: time })
      const hashes: Hex[] = []
      for (const { value = 0n, ...call } of calls) {
        const transaction = { ...call, value: toHex(value), gas: toHex(gas) }
        hashes.push((await raw('eth_sendTransaction', [transaction])) as Hex)
      }
      await client.mine({ blocks: 1 })
      const receipts = hashes.map((hash) => client.getTransactionReceipt({ hash }))
      return (await Promise.all(receipts)).map(({ status }) => status === 'success')
    },
    rest: () => client.setAutomine(true),
  }
}

/** A call without an ABI: the signature of the function, and its arguments. */
export type HandCall = [signature: string, ...args: unknown[]]

type Handed = { from: Address; to: Address; call: HandCall }

export function played({ from, to, call }: Handed): PlayedCall {
  return { from, to, data: encodeHand(call) }
}

export function encodeHand([signature, ...args]: HandCall): Hex {
  // viem knows no types of a signature that is not written down where it is parsed.
  return encodeFunctionData({ abi: parseAbi([signature]) as Abi, args })
}
