import { type Address, erc20Abi } from 'viem'
import { accountantAbi } from '../../../abis/accountant.ts'
import { depositorAbi } from '../../../abis/depositor.ts'
import { tellerAbi } from '../../../abis/teller.ts'
import { baseTokenStandInAbi, vaultAbi } from '../../../abis/vault.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { tryRead } from '../../chain/gatheredReads.ts'

/** The address is not a depositor, or a contract that follows from it is not of the expected kind. */
export class DescribeError extends Error {
  override name = 'DescribeError'
}

/**
 * The addresses that follow from a depositor, one getter after the other. Throws `DescribeError`, and
 * `RPC_UNAVAILABLE`.
 */
export async function readDeploymentCore(
  chains: ChainClients,
  chainId: number,
  depositor: Address,
) {
  const [vault, teller] = await chains.read(chainId, (client) => {
    const contract = { address: depositor, abi: depositorAbi } as const
    return Promise.all([
      tryRead(client, { ...contract, functionName: 'boringVault' }),
      tryRead(client, { ...contract, functionName: 'teller' }),
    ])
  })
  if (vault === null || teller === null)
    throw new DescribeError(
      `${depositor} on chain ${chainId} is no depositor: boringVault() or teller() does not answer`,
    )
  const [name, authority, accountant] = await chains.read(chainId, (client) =>
    Promise.all([
      tryRead(client, { address: vault, abi: vaultAbi, functionName: 'name' }),
      tryRead(client, { address: vault, abi: vaultAbi, functionName: 'authority' }),
      tryRead(client, { address: teller, abi: tellerAbi, functionName: 'accountant' }),
    ]),
  )
  if (name === null || accountant === null)
    throw new DescribeError(
      `${depositor} on chain ${chainId}: name() of its vault ${vault} or accountant() of its teller ${teller} does not answer`,
    )
  const base = await chains.read(chainId, (client) =>
    tryRead(client, { address: accountant, abi: accountantAbi, functionName: 'base' }),
  )
  if (base === null)
    throw new DescribeError(
      `${depositor} on chain ${chainId}: base() of its accountant ${accountant} does not answer`,
    )
  return { vault, teller, accountant, base, name, authority }
}

/**
 * Whether the base is a token and, if not, the symbol and decimals of the stand-in. Throws
 * `DescribeError`, and `RPC_UNAVAILABLE`.
 */
export async function readBase(chains: ChainClients, chainId: number, address: Address) {
  const [symbol, name, decimals] = await chains.read(chainId, (client) =>
    Promise.all([
      tryRead(client, { address, abi: erc20Abi, functionName: 'symbol' }),
      tryRead(client, { address, abi: baseTokenStandInAbi, functionName: 'name' }),
      tryRead(client, { address, abi: baseTokenStandInAbi, functionName: 'decimals' }),
    ]),
  )
  if (symbol !== null) return { isToken: true } as const
  if (name === null || decimals === null)
    throw new DescribeError(
      `The base ${address} on chain ${chainId} is neither a token nor a stand-in`,
    )
  return { isToken: false, standIn: { symbol: name, decimals } } as const
}
