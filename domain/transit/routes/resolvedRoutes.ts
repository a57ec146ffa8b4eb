import {
  type AddressBook,
  type AddressBookChain,
  type AddressBookToken,
  type PriceFeed,
  type RouteEnds,
  routeKey,
  type TransitRoute,
} from '../../addressBook/addressBook.ts'
import { oncePer } from '../../cache/oncePer.ts'
import type { TransitChain } from '../transitChains.ts'

/** A route of the address book with the entries of its chains and tokens. */
export type ResolvedRoute = {
  /** Unique among the routes. */
  key: string
  route: TransitRoute
  /** `eid` is its LayerZero endpoint id; absent where there are no orders to other chains. */
  source: TransitChain & { eid: number | undefined }
  /** `execution` is the cost of an execution there. */
  destination: TransitChain & {
    eid: number
    execution: NonNullable<AddressBookChain['transitFill']>
  }
  offered: PricedToken
  wanted: PricedToken
}

/** A token with its price feed. */
export type PricedToken = AddressBookToken & { usdFeed: PriceFeed }

/** The address book's route between these ends, or undefined. */
export function findRoute(book: AddressBook, ends: RouteEnds): ResolvedRoute | undefined {
  return routesByKey(book).get(routeKey(ends))
}

/** All routes of the address book. */
export function resolvedRoutes(book: AddressBook): ResolvedRoute[] {
  return [...routesByKey(book).values()]
}

const routesByKey = oncePer(
  (book: AddressBook) =>
    new Map(book.transitRoutes.map((route) => [routeKey(route), join(book, route)])),
)

function join(book: AddressBook, route: TransitRoute): ResolvedRoute {
  const chainOf = (chainId: number) => book.chains.find(({ id }) => id === chainId)
  const tokenOf = (chainId: number, address: string) =>
    book.tokens.find((token) => token.chainId === chainId && token.address === address)
  const source = chainOf(route.sourceChainId)
  const destination = chainOf(route.destinationChainId)
  const offered = tokenOf(route.sourceChainId, route.offerAsset)
  const wanted = tokenOf(route.destinationChainId, route.wantAsset)
  if (
    !source?.transitStation ||
    !destination?.eid ||
    !destination.transitStation ||
    !destination.transitFill
  )
    throw new Error('Invariant(resolvedRoutes): both ends of a route have a station')
  if (!offered?.usdFeed || !wanted?.usdFeed)
    throw new Error('Invariant(resolvedRoutes): both tokens of a route have a price feed')
  return {
    key: routeKey(route),
    route,
    source: { chainId: source.id, station: source.transitStation.address, eid: source.eid },
    destination: {
      chainId: destination.id,
      station: destination.transitStation.address,
      eid: destination.eid,
      execution: destination.transitFill,
    },
    offered: { ...offered, usdFeed: offered.usdFeed },
    wanted: { ...wanted, usdFeed: wanted.usdFeed },
  }
}
