import { type Address, getAbiItem, type PublicClient, toFunctionSelector } from 'viem'
import { rolesAuthorityAbi } from '../../../abis/rolesAuthority.ts'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { type Clock, createSharedReads } from '../../chain/sharedReads.ts'
import { type JoinedRoute, joinedRoutes } from '../routes/joinedRoutes.ts'

const SUBMISSIONS = ['submitOrder', 'submitOrderWithPermit'] as const
export type SubmissionFunction = (typeof SUBMISSIONS)[number]

/** What decides whether a station takes orders. Addresses are lower case. */
export type StationState = {
  isPaused: boolean
  /** What anybody may call; anything else reverts UNAUTHORIZED. */
  publicFunctions: SubmissionFunction[]
  quoteSigner: Address
  /** Unix seconds of the newest block. */
  blockTime: number
  /** The keys of those of the address book's routes from here that the station approves. */
  approvedRoutes: Set<string>
  /** The endpoint ids that it has a peer for, and those that it has a gas limit for. */
  peers: Set<number>
  gasLimits: Set<number>
}

export type StationStates = {
  /** The station of a source chain, at most 5 s ago. Throws `RPC_UNAVAILABLE`. */
  get(chainId: number): Promise<StationState>
}

/** interface.md: approvals, pause, signer, peers and gas limits may be so old. */
const LIFE_MS = 5_000

/** Reads all that matters of a station in one multicall, which everybody who asks shares. */
export function createStationStates(
  book: AddressBook,
  {
    chains,
    known,
    clock,
  }: { chains: ChainClients; known: KnownAddresses; clock?: Clock | undefined },
): StationStates {
  async function read(client: PublicClient, chainId: number): Promise<StationState> {
    const chain = book.chains.find(({ id }) => id === chainId)
    const routes = joinedRoutes(book).filter(({ source }) => source.chainId === chainId)
    if (!chain || !routes[0]) throw new Error(`Invariant(stationStates): no route from ${chainId}`)
    const { station } = routes[0].source
    const [state, blockTime, publicFunctions] = await Promise.all([
      readStation(client, station, routes),
      readBlockTime(client, chain),
      known.follow(
        `authority:${chainId}:${station}`,
        () =>
          mustRead(client, {
            address: station,
            abi: transitStationAbi,
            functionName: 'authority',
          }),
        (authority) => readPublicFunctions(client, station, authority),
      ),
    ])
    return { ...state, blockTime, publicFunctions }
  }

  return createSharedReads(
    { name: 'stations', keyOf: String, max: 1_000, lifeMs: LIFE_MS, clock },
    (chainId: number) => chains.read(chainId, (client) => read(client, chainId)),
  )
}

async function readStation(client: PublicClient, address: Address, routes: JoinedRoute[]) {
  const station = { address, abi: transitStationAbi } as const
  const eids = [...new Set(routes.map(({ destination }) => destination.eid))]
  const [isPaused, quoteSigner, approved, peers, gasLimits] = await Promise.all([
    mustRead(client, { ...station, functionName: 'paused' }),
    mustRead(client, { ...station, functionName: 'quoteSigner' }),
    keep(routes, ({ destination, route }) =>
      mustRead(client, {
        ...station,
        functionName: 'approvedRoutes',
        args: [destination.eid, route.offerAsset, route.wantAsset],
      }),
    ),
    keep(eids, async (eid) => {
      const peer = await mustRead(client, { ...station, functionName: 'peers', args: [eid] })
      return BigInt(peer) !== 0n
    }),
    keep(eids, async (eid) => {
      const limit = { ...station, functionName: 'messageGasLimit', args: [eid] } as const
      return (await mustRead(client, limit)) !== 0n
    }),
  ])
  return {
    isPaused,
    quoteSigner: quoteSigner.toLowerCase() as Address,
    approvedRoutes: new Set(approved.map(({ key }) => key)),
    peers: new Set(peers),
    gasLimits: new Set(gasLimits),
  }
}

async function readPublicFunctions(
  client: PublicClient,
  station: Address,
  authority: Address | null,
): Promise<SubmissionFunction[]> {
  if (authority === null) return []
  return keep(SUBMISSIONS, (name) =>
    mustRead(client, {
      address: authority,
      abi: rolesAuthorityAbi,
      functionName: 'isCapabilityPublic',
      args: [station, toFunctionSelector(getAbiItem({ abi: transitStationAbi, name }))],
    }),
  )
}

/** The items that pass, all asked at once. */
async function keep<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>) {
  const passed = await Promise.all(items.map(test))
  return items.filter((_, index) => passed[index])
}
