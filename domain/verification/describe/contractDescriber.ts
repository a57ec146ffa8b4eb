import type { Address, PublicClient } from 'viem'
import type { ChainClients } from '../../chain/chainClients.ts'
import { checksummed } from '../../token/checksummed.ts'
import { findStartBlock } from './findStartBlock.ts'
import { DescribeError } from './readDeploymentCore.ts'

type DescribedContract<Generation> = {
  /** With its checksum. */
  address: Address
  generation: Generation
  fromBlock: number
}

export type ContractDescriber = {
  /**
   * The block in which it was created, or 0 with a remark if the nodes do not have it. Throws
   * `RPC_UNAVAILABLE`.
   */
  startBlock(address: Address): Promise<number>
  /** Throws `DescribeError` if the contract fits no generation, and `RPC_UNAVAILABLE`. */
  version<Generation extends string>(
    address: Address,
    probe: (client: PublicClient, address: Address) => Promise<Generation[]>,
  ): Promise<DescribedContract<Generation>>
}

type DescriberOptions = { chainId: number; head: bigint; remark: (sentence: string) => void }

/** Describes single contracts of one chain as the address book lists them, as of block `head`. */
export function createContractDescriber(
  chains: ChainClients,
  { chainId, head, remark }: DescriberOptions,
): ContractDescriber {
  async function startBlock(address: Address): Promise<number> {
    const found = await findStartBlock(chains, { chainId, address, head })
    if (found === null)
      remark(
        `The nodes of chain ${chainId} do not show when ${checksummed(address)} was created: its start block is left at 0, which is correct but slow to index.`,
      )
    return Number(found ?? 0n)
  }

  return {
    startBlock,
    async version(address, probe) {
      const fitting = await chains.read(chainId, (client) => probe(client, address))
      const generation = fitting.at(-1)
      if (generation === undefined)
        throw new DescribeError(
          `${checksummed(address)} on chain ${chainId} is of no known generation`,
        )
      if (fitting.length > 1)
        remark(
          `The generation of ${checksummed(address)} is ${fitting.join(' or ')}, and the chain does not show which: ${generation} is used.`,
        )
      return { address: checksummed(address), generation, fromBlock: await startBlock(address) }
    },
  }
}
