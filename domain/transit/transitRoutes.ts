import type { Address } from 'viem'
import {
  type AddressBook,
  type AddressBookChain,
  routeKey,
  type TransitRoute,
} from '../addressBook/addressBook.ts'

type RouteEnds = Pick<
  TransitRoute,
  'sourceChainId' | 'destinationChainId' | 'offerAsset' | 'wantAsset'
>

/** A route of the address book with the chains that it joins. */
export type JoinedRoute = {
  route: TransitRoute
  key: string
  source: AddressBookChain & { transitStation: { address: Address } }
  destination: AddressBookChain & { eid: number }
}

/** The address book's route between these ends, or undefined. */
export function findRoute(book: AddressBook, ends: RouteEnds): JoinedRoute | undefined {
  const key = routeKey(ends)
  return joinedRoutes(book).find((joined) => joined.key === key)
}

const joined = new WeakMap<AddressBook, JoinedRoute[]>()

/** All routes of the address book, in the order of their lists. */
export function joinedRoutes(book: AddressBook): JoinedRoute[] {
  const known = joined.get(book)
  if (known) return known
  const chains = new Map(book.chains.map((chain) => [chain.id, chain]))
  const routes = book.transitRoutes.map((route) => {
    const source = chains.get(route.sourceChainId)
    const destination = chains.get(route.destinationChainId)
    if (!source?.transitStation || !destination?.eid)
      throw new Error('Invariant(joinedRoutes): a route between chains with stations')
    return {
      ...{ route, key: routeKey(route) },
      source: { ...source, transitStation: source.transitStation },
      destination: { ...destination, eid: destination.eid },
    }
  })
  joined.set(book, routes)
  return routes
}
