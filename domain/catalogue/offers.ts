import type { Address } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { oncePer } from '../cache/oncePer.ts'
import { earnDeployments } from '../earn/vaults/deployments.ts'

/** The products that a chain or a token can be used in. */
const PRODUCTS = ['TRANSIT', 'EARN', 'SMART_DEPOSIT'] as const
export type Product = (typeof PRODUCTS)[number]

type Offers = {
  byChain: Map<number, Set<Product>>
  /** By `<chainId>:<address>`. */
  byToken: Map<string, Set<Product>>
}

/** The products that are offered on a chain. */
export function offersOnChain(book: AddressBook, chainId: number): Product[] {
  return inOrder(offersIn(book).byChain.get(chainId))
}

/** The products in which a token is offered, paid or deposited. */
export function usesOfToken(book: AddressBook, chainId: number, address: Address): Product[] {
  return inOrder(offersIn(book).byToken.get(keyOf(chainId, address)))
}

function inOrder(offered: Set<Product> = new Set()): Product[] {
  return PRODUCTS.filter((product) => offered.has(product))
}

const offersIn = oncePer((book: AddressBook): Offers => {
  const offers: Offers = { byChain: new Map(), byToken: new Map() }
  const add = (product: Product, chainId: number, address: Address) => {
    addTo(offers.byChain, chainId, product)
    addTo(offers.byToken, keyOf(chainId, address), product)
  }
  for (const route of book.transitRoutes) {
    add('TRANSIT', route.sourceChainId, route.offerAsset)
    add('TRANSIT', route.destinationChainId, route.wantAsset)
  }
  const withFactory = new Set(
    book.chains.flatMap(({ id, smartDeposit }) => (smartDeposit ? [id] : [])),
  )
  for (const { chainId, assets, inDeprecation } of earnDeployments(book)) {
    // A deprecated vault, too, pays out its assets.
    for (const { address } of assets) add('EARN', chainId, address)
    if (inDeprecation || !withFactory.has(chainId)) continue
    for (const { address, depositable } of assets)
      if (depositable) add('SMART_DEPOSIT', chainId, address)
  }
  return offers
})

function addTo<Key>(products: Map<Key, Set<Product>>, key: Key, product: Product) {
  products.set(key, (products.get(key) ?? new Set()).add(product))
}

function keyOf(chainId: number, address: Address): string {
  return `${chainId}:${address}`
}
