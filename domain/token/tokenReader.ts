import { type Address, erc20Abi } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { createKeptReads, createReadStore } from '../cache/keptReads.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { mustRead } from '../chain/gatheredReads.ts'

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

/**
 * Tokens by chain and address, from the address book, else from the chain. A token read from a chain is
 * cached for good.
 */
export type TokenReader = {
  /** The address book's entry, without waiting. */
  listed(chainId: number, address: Address): Token | undefined
  /** The same, or one that was read before. */
  known(chainId: number, address: Address): Token | undefined
  /**
   * Throws `RPC_UNAVAILABLE` if the address book lacks the token and the chain does not answer as an
   * ERC-20.
   */
  get(chainId: number, address: Address): Promise<Token>
}

/** Lists show tokens where they are known: while a node is silent, few of them wait for it. */
const FAILURE_LIFE_MS = 5_000
const MOST_READ = 10_000

type TokenPlace = Pick<Token, 'chainId' | 'address'>

export function createTokenReader(book: AddressBook, chains: ChainClients): TokenReader {
  const listed = new Map(book.tokens.map((token) => [keyOf(token), token]))
  const read = createKeptReads(
    createReadStore('tokens', { max: MOST_READ }),
    { name: 'tokens', keyOf, failureLifeMs: FAILURE_LIFE_MS },
    readFromChain,
  )

  async function readFromChain({ chainId, address }: TokenPlace): Promise<Token> {
    const contract = { address, abi: erc20Abi } as const
    const [name, symbol, decimals] = await chains.read(chainId, (client) =>
      Promise.all([
        mustRead(client, { ...contract, functionName: 'name' }),
        mustRead(client, { ...contract, functionName: 'symbol' }),
        mustRead(client, { ...contract, functionName: 'decimals' }),
      ]),
    )
    return { chainId, address, name, symbol, decimals, tokenStandard: 'ERC20' }
  }

  return {
    listed: (chainId, address) => listed.get(keyOf({ chainId, address })),
    known(chainId, address) {
      const place = { chainId, address }
      return listed.get(keyOf(place)) ?? read.known(place)
    },
    async get(chainId, address) {
      const place = { chainId, address }
      return listed.get(keyOf(place)) ?? read.get(place)
    },
  }
}

function keyOf({ chainId, address }: TokenPlace): string {
  return `${chainId}:${address.toLowerCase()}`
}
