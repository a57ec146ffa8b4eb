import { LRUCache } from 'lru-cache'
import { type Address, erc20Abi } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { type ChainClients, rpcUnavailable } from '../chain/chainClients.ts'

export type Token = {
  chainId: number
  /** Lower case. */
  address: Address
  name: string
  symbol: string
  decimals: number
  tokenStandard: string
  coinGeckoId?: string | undefined
}

/** Tokens by chain and address: the address book's word first, else the chain's, kept for good. */
export type TokenReader = {
  /** What the address book says, without waiting. */
  listed(chainId: number, address: Address): Token | undefined
  /** Throws `RPC_UNAVAILABLE` when only the chain could tell and does not answer as an ERC-20. */
  get(chainId: number, address: Address): Promise<Token>
}

export function createTokenReader(book: AddressBook, chains: ChainClients): TokenReader {
  const listed = new Map(book.tokens.map((token) => [keyOf(token.chainId, token.address), token]))
  const read = new LRUCache<string, Promise<Token>>({ max: 10_000 })

  async function readFromChain(chainId: number, address: Address): Promise<Token> {
    const client = chains.get(chainId)
    const contract = { address, abi: erc20Abi } as const
    const [name, symbol, decimals] = await Promise.all([
      client.readContract({ ...contract, functionName: 'name' }),
      client.readContract({ ...contract, functionName: 'symbol' }),
      client.readContract({ ...contract, functionName: 'decimals' }),
    ]).catch((cause) => {
      throw rpcUnavailable(chainId, cause)
    })
    return { chainId, address, name, symbol, decimals, tokenStandard: 'ERC20' }
  }

  return {
    listed: (chainId, address) => listed.get(keyOf(chainId, address)),
    async get(chainId, address) {
      const key = keyOf(chainId, address)
      const known = listed.get(key) ?? read.get(key)
      if (known) return known
      const reading = readFromChain(chainId, address).catch((error) => {
        read.delete(key)
        throw error
      })
      read.set(key, reading)
      return reading
    },
  }
}

function keyOf(chainId: number, address: Address): string {
  return `${chainId}:${address.toLowerCase()}`
}
