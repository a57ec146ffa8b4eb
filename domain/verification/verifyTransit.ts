import { type Address, type PublicClient, pad } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { AddressBook, AddressBookChain } from '../addressBook/addressBook.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { resolvedRoutes } from '../transit/routes/resolvedRoutes.ts'
import { compare, contradiction, type Finding, noCode, note } from './finding.ts'
import { ask, hasCode, type VerificationContext } from './verificationContext.ts'

type Station = { chainId: number; eid: number; address: Address; place: string }

/**
 * Checks that every station exists, belongs to its chain's endpoint, has its peers, and has approved its
 * routes.
 */
export async function verifyTransit(context: VerificationContext): Promise<Finding[]> {
  const stations = context.book.chains.flatMap(stationOf)
  const partners = partnersOf(context.book)
  const found = await Promise.all(
    stations.map((station) =>
      ask(context, {
        chainId: station.chainId,
        place: station.place,
        run: () =>
          context.chains.read(station.chainId, async (client) => {
            const own = await verifyStation(client, station)
            if (own === 'no code')
              return [noCode(`${station.place}.address`, station.address, station.chainId)]
            const others = stations.filter(({ chainId }) =>
              partners.has(`${station.chainId}:${chainId}`),
            )
            const [links, routes] = await Promise.all([
              Promise.all(others.map((other) => verifyLink(client, station, other))),
              verifyRoutes(client, station, context.book),
            ])
            return [...own, ...links.flat(), ...routes]
          }),
      }),
    ),
  )
  return found.flat()
}

function stationOf({ id, eid, transitStation }: AddressBookChain, index: number): Station[] {
  if (!transitStation || eid === undefined) return []
  return [
    { chainId: id, eid, address: transitStation.address, place: `chains.${index}.transitStation` },
  ]
}

/**
 * `<chain>:<other>` for both directions of every route between two chains: each station needs the other
 * as peer.
 */
function partnersOf({ transitRoutes }: AddressBook): Set<string> {
  return new Set(
    transitRoutes
      .filter((route) => route.sourceChainId !== route.destinationChainId)
      .flatMap(({ sourceChainId, destinationChainId }) => [
        `${sourceChainId}:${destinationChainId}`,
        `${destinationChainId}:${sourceChainId}`,
      ]),
  )
}

async function verifyStation(
  client: PublicClient,
  { chainId, eid, address, place }: Station,
): Promise<Finding[] | 'no code'> {
  const contract = { address, abi: transitStationAbi } as const
  const [thisChainEID, isPaused] = await Promise.all([
    tryRead(client, { ...contract, functionName: 'thisChainEID' }),
    tryRead(client, { ...contract, functionName: 'paused' }),
  ])
  if (thisChainEID === null && !(await hasCode(client, address))) return 'no code'
  return [
    ...compare({
      place: place.replace('transitStation', 'eid'),
      asked: `thisChainEID() of the station ${address} on chain ${chainId}`,
      expected: eid,
      answered: thisChainEID,
    }),
    ...(isPaused ? [note(place, `the station of chain ${chainId} is paused`)] : []),
  ]
}

async function verifyLink(
  client: PublicClient,
  { chainId, address, place }: Station,
  other: Station,
): Promise<Finding[]> {
  const contract = { address, abi: transitStationAbi, args: [other.eid] } as const
  const [peer, gasLimit] = await Promise.all([
    tryRead(client, { ...contract, functionName: 'peers' }),
    tryRead(client, { ...contract, functionName: 'messageGasLimit' }),
  ])
  return [
    ...compare({
      place,
      asked: `peers(${other.eid}) of the station of chain ${chainId}`,
      expected: pad(other.address),
      answered: peer?.toLowerCase() ?? null,
    }),
    ...(gasLimit === 0n
      ? [
          contradiction(
            place,
            `the station of chain ${chainId} has no messageGasLimit(${other.eid}) for chain ${other.chainId}`,
          ),
        ]
      : []),
  ]
}

async function verifyRoutes(
  client: PublicClient,
  station: Station,
  book: AddressBook,
): Promise<Finding[]> {
  const findings = await Promise.all(
    resolvedRoutes(book).map(async ({ route, destination, offered, wanted }, index) => {
      if (route.sourceChainId !== station.chainId) return []
      const isApproved = await tryRead(client, {
        address: station.address,
        abi: transitStationAbi,
        functionName: 'approvedRoutes',
        args: [destination.eid, route.offerAsset, route.wantAsset],
      })
      if (isApproved) return []
      const way = `${offered.symbol} to ${wanted.symbol} on chain ${destination.chainId}`
      return [
        contradiction(
          `transitRoutes.${index}`,
          `the station of chain ${station.chainId} has not approved ${way}`,
        ),
      ]
    }),
  )
  return findings.flat()
}
