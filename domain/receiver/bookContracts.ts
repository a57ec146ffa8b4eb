import type { Address } from 'viem'
import type { AddressBook, PriceFeed } from '../addressBook/addressBook.ts'
import { factoriesOf } from '../addressBook/factories.ts'
import { VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'
import { oncePer } from '../cache/oncePer.ts'

const keyOf = (chainId: number, address: Address) => `${chainId}:${address}`

/** A description of the address book's contract at this address; undefined if it is none. */
export function bookContract(
  book: AddressBook,
  chainId: number,
  address: Address,
): string | undefined {
  return contractsOf(book).get(keyOf(chainId, address))
}

/** Not the managers of vaults: an operator's own account may be one. */
const contractsOf = oncePer(({ chains, tokens, vaults }: AddressBook) => {
  const contracts = new Map<string, string>()
  const add = (chainId: number, address: Address | undefined, what: string) =>
    address && contracts.set(keyOf(chainId, address), what)
  const addFeed = (feed: PriceFeed | undefined) =>
    feed && add(feed.chainId, feed.address, 'a price feed')
  for (const { id, multicall3, transitStation, transitFill, ...chain } of chains) {
    add(id, multicall3, 'Multicall3')
    add(id, transitStation?.address, 'a transit station')
    addFeed(transitFill?.nativeUsdFeed)
    for (const { address, implementation } of factoriesOf(chain)) {
      add(id, address, 'the factory of smart deposit addresses')
      add(id, implementation, 'the implementation of smart deposit addresses')
    }
    add(id, chain.sanctionsOracle, 'the sanctions oracle')
  }
  for (const { chainId, address, usdFeed } of tokens) {
    add(chainId, address, 'a token')
    addFeed(usdFeed)
  }
  for (const { chainId, ...entry } of vaults.flatMap(({ deployments }) => deployments)) {
    for (const kind of [...VAULT_CONTRACTS, 'feeModules'] as const)
      for (const { address } of entry[kind]) add(chainId, address, 'a contract of a vault')
    add(chainId, entry.rolesAuthority, 'a contract of a vault')
    add(chainId, entry.baseToken, 'a token')
    add(chainId, entry.vault.address, 'a vault')
  }
  return contracts
})
