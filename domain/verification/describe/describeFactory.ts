import { type Address, zeroAddress } from 'viem'
import { smartDepositFactoryBAbi } from '../../../abis/smartDeposit.ts'
import type { AddressBookFile } from '../../addressBook/addressBook.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { tryRead } from '../../chain/gatheredReads.ts'
import { checksummed } from '../../token/checksummed.ts'
import { createContractDescriber } from './contractDescriber.ts'

type SmartDepositFile = NonNullable<AddressBookFile['chains'][number]['smartDeposit']>

export type DescribedFactory = {
  factory: Pick<SmartDepositFile, 'generation' | 'factory' | 'implementation' | 'startBlock'>
  /** Facts that the chain does not have or did not return, one sentence each. */
  remarks: string[]
}

/** The address book's entry of a factory of smart deposit addresses; null for another contract. Throws `RPC_UNAVAILABLE`. */
export async function describeFactory(
  chains: ChainClients,
  { chainId, address }: { chainId: number; address: Address },
): Promise<DescribedFactory | null> {
  const contract = { address, abi: smartDepositFactoryBAbi } as const
  const [implementation, isKeeper, withdrawalDelay] = await chains.read(chainId, (client) =>
    Promise.all([
      tryRead(client, { ...contract, functionName: 'implementation' }),
      tryRead(client, { ...contract, functionName: 'isKeeper', args: [zeroAddress] }),
      tryRead(client, { ...contract, functionName: 'withdrawalDelay' }),
    ]),
  )
  if (implementation === null || isKeeper === null) return null
  const remarks: string[] = []
  const remark = (sentence: string) => void remarks.push(sentence)
  const describer = createContractDescriber(chains, {
    chainId,
    head: await chains.head(chainId),
    remark,
  })
  const factory = {
    // Only generation B lets the user withdraw.
    generation: withdrawalDelay === null ? ('A' as const) : ('B' as const),
    factory: checksummed(address),
    implementation,
    startBlock: await describer.startBlock(address),
  }
  return { factory, remarks }
}
