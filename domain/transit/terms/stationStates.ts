import { type Address, getAbiItem, type PublicClient, toFunctionSelector, zeroAddress } from 'viem'
import { rolesAuthorityAbi } from '../../../abis/rolesAuthority.ts'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import { createKeptReads, type KeptReads } from '../../cache/keptReads.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import type { ChainReading } from '../../chain/chainReading.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import type { KnownAddresses } from '../../chain/knownAddresses.ts'
import { type ResolvedRoute, resolvedRoutes } from '../routes/resolvedRoutes.ts'
import { stationOf } from '../transitChains.ts'

const SUBMIT_FUNCTIONS = ['submitOrder', 'submitOrderWithPermit'] as const
export type SubmitFunction = (typeof SUBMIT_FUNCTIONS)[number]

/** The state of a station that decides whether it takes orders. Addresses are lower case. */
export type StationState = {
  isPaused: boolean
  /** The functions that anyone may call; the others revert with UNAUTHORIZED. */
  publicFunctions: SubmitFunction[]
  quoteSigner: Address
  /** Unix seconds of the newest block. */
  blockTime: number
  /** The keys of the address book's routes from this station that it approves. */
  approvedRoutes: Set<string>
  /** By endpoint id, the station to which it sends messages. */
  peers: ReadonlyMap<number, Address>
  /** The endpoint ids for which it has a gas limit. */
  gasLimits: Set<number>
}

/** What decides whether a station receives orders of other chains. */
export type ReceivingState = {
  isPaused: boolean
  /** By endpoint id of the chains that have a route to it, the station whose messages it takes. */
  peers: ReadonlyMap<number, Address>
}

/** The states of source chains' stations, at most 5 s old. Throws `RPC_UNAVAILABLE`. */
export type StationStates = KeptReads<number, StationState> & {
  /** The state of a destination's station, at most 5 s old. Throws `RPC_UNAVAILABLE`. */
  receiving(chainId: number): Promise<ReceivingState>
}

/** The age up to which approvals, pause, signer, peers and gas limits are used. */
const LIFE_MS = 5_000

/** Reads a station's state in one multicall, shared by all requests. */
export function createStationStates(
  book: AddressBook,
  { chains, store, known }: ChainReading & { known: KnownAddresses },
): StationStates {
  async function read(client: PublicClient, chainId: number): Promise<StationState> {
    const chain = book.chains.find(({ id }) => id === chainId)
    const routes = resolvedRoutes(book).filter(({ source }) => source.chainId === chainId)
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

  const states = createKeptReads(
    store,
    { name: 'stations', keyOf: String, lifeMs: LIFE_MS },
    (chainId: number) => chains.read(chainId, (client) => read(client, chainId)),
  )
  const receiving = createKeptReads(
    store,
    { name: 'receiving_stations', keyOf: String, lifeMs: LIFE_MS },
    (chainId: number) => chains.read(chainId, (client) => readReceiving(client, chainId)),
  )
  async function readReceiving(client: PublicClient, chainId: number): Promise<ReceivingState> {
    const address = stationOf(book, chainId)
    if (!address) throw new Error(`Invariant(stationStates): chain ${chainId} has no station`)
    const sources = resolvedRoutes(book).flatMap(({ source, destination }) =>
      destination.chainId === chainId && source.chainId !== chainId ? (source.eid ?? []) : [],
    )
    const [isPaused, peers] = await Promise.all([
      mustRead(client, { address, abi: transitStationAbi, functionName: 'paused' }),
      readPeers(client, address, sources),
    ])
    return { isPaused, peers }
  }
  return { ...states, receiving: receiving.get }
}

/** By endpoint id, its peer; without those that it lacks. */
async function readPeers(client: PublicClient, address: Address, eids: readonly number[]) {
  const station = { address, abi: transitStationAbi } as const
  const peers = await Promise.all(
    [...new Set(eids)].map(async (eid) => {
      const peer = await mustRead(client, { ...station, functionName: 'peers', args: [eid] })
      return [eid, `0x${peer.slice(-40).toLowerCase()}`] as const
    }),
  )
  return new Map<number, Address>(peers.filter(([, peer]) => peer !== zeroAddress))
}

async function readStation(client: PublicClient, address: Address, routes: ResolvedRoute[]) {
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
    readPeers(client, address, eids),
    keep(eids, async (eid) => {
      const limit = { ...station, functionName: 'messageGasLimit', args: [eid] } as const
      return (await mustRead(client, limit)) !== 0n
    }),
  ])
  return {
    isPaused,
    quoteSigner: quoteSigner.toLowerCase() as Address,
    approvedRoutes: new Set(approved.map(({ key }) => key)),
    peers,
    gasLimits: new Set(gasLimits),
  }
}

async function readPublicFunctions(
  client: PublicClient,
  station: Address,
  authority: Address | null,
): Promise<SubmitFunction[]> {
  if (authority === null) return []
  return keep(SUBMIT_FUNCTIONS, (name) =>
    mustRead(client, {
      address: authority,
      abi: rolesAuthorityAbi,
      functionName: 'isCapabilityPublic',
      args: [station, toFunctionSelector(getAbiItem({ abi: transitStationAbi, name }))],
    }),
  )
}

/** The items that pass the test; all are tested at once. */
async function keep<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>) {
  const passed = await Promise.all(items.map(test))
  return items.filter((_, index) => passed[index])
}
