import { type Address, getAbiItem, type PublicClient, toFunctionSelector, zeroAddress } from 'viem'
import { multicall3Abi } from '../../abis/multicall3.ts'
import { rolesAuthorityAbi } from '../../abis/rolesAuthority.ts'
import { transitStationAbi } from '../../abis/transitStation.ts'
import {
  type AddressBook,
  type AddressBookChain,
  routeKey,
  type TransitRoute,
} from '../addressBook/addressBook.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { createSharedReads } from '../chain/sharedReads.ts'
import { ServiceError } from '../error/serviceError.ts'

/** What decides whether a station takes orders. Addresses are lower case. */
export type StationState = {
  isPaused: boolean
  /** Whether anybody may submit orders; without the capability a submission reverts UNAUTHORIZED. */
  isPublic: boolean
  quoteSigner: Address
  /** Unix seconds of the newest block. */
  blockTime: number
  /** Of the address book's routes from here, those that the station approves, by `routeKey`. */
  approved: Set<string>
  /** The endpoint ids that it can send to: with a peer and a gas limit. */
  peers: Set<number>
  gasLimits: Set<number>
}

export type StationStates = {
  /** The station of a source chain, at most 5 s ago. Throws `RPC_UNAVAILABLE`. */
  get(chainId: number): Promise<StationState>
}

/** interface.md: approvals, pause, signer, peers and gas limits may be so old. */
const LIFE_MS = 5_000
const SUBMISSIONS = (['submitOrder', 'submitOrderWithPermit'] as const).map((name) =>
  toFunctionSelector(getAbiItem({ abi: transitStationAbi, name })),
)

/** Reads all that matters of a station in one multicall, which everybody who asks shares. */
export function createStationStates(book: AddressBook, chains: ChainClients): StationStates {
  const authorities = new Map<number, Address>()

  async function read(chainId: number): Promise<StationState> {
    const chain = book.chains.find(({ id }) => id === chainId)
    if (!chain?.transitStation) throw new Error(`Invariant(stationStates): none on ${chainId}`)
    const known = authorities.get(chainId)
    const [first, isPublic] = await chains.read(chainId, (client) =>
      Promise.all([readStation(client, book, chain), known ? mayAll(client, chain, known) : null]),
    )
    refuseOldHead(chain, first.blockTime)
    const { authority, ...state } = first
    authorities.set(chainId, authority)
    if (isPublic !== null && known === authority) return { ...state, isPublic }
    const asked = await chains.read(chainId, (client) => mayAll(client, chain, authority))
    return { ...state, isPublic: asked }
  }

  return createSharedReads({ max: 1_000, lifeMs: LIFE_MS }, read)
}

async function readStation(client: PublicClient, book: AddressBook, chain: AddressBookChain) {
  const station = { address: chain.transitStation?.address as Address, abi: transitStationAbi }
  const eids = new Map(book.chains.map(({ id, eid = 0 }) => [id, eid]))
  const eidOf = ({ destinationChainId }: TransitRoute) => eids.get(destinationChainId) ?? 0
  const routes = book.transitRoutes.filter(({ sourceChainId }) => sourceChainId === chain.id)
  const others = [...new Set(routes.map(eidOf))].filter((eid) => eid !== chain.eid)
  const ask = <Result>(eid: number, isSet: Promise<Result>, isNone: (result: Result) => boolean) =>
    isSet.then((result) => (isNone(result) ? [] : [eid]))
  const [isPaused, quoteSigner, authority, blockTime, approved, peers, gasLimits] =
    await Promise.all([
      client.readContract({ ...station, functionName: 'paused' }),
      client.readContract({ ...station, functionName: 'quoteSigner' }),
      client.readContract({ ...station, functionName: 'authority' }),
      client.readContract({
        address: chain.multicall3,
        abi: multicall3Abi,
        functionName: 'getCurrentBlockTimestamp',
      }),
      Promise.all(
        routes.map((route) =>
          client
            .readContract({
              ...station,
              functionName: 'approvedRoutes',
              args: [eidOf(route), route.offerAsset, route.wantAsset],
            })
            .then((isApproved) => (isApproved ? [routeKey(route)] : [])),
        ),
      ),
      Promise.all(
        others.map((eid) =>
          ask(
            eid,
            client.readContract({ ...station, functionName: 'peers', args: [eid] }),
            (peer) => BigInt(peer) === 0n,
          ),
        ),
      ),
      Promise.all(
        others.map((eid) =>
          ask(
            eid,
            client.readContract({ ...station, functionName: 'messageGasLimit', args: [eid] }),
            (limit) => limit === 0n,
          ),
        ),
      ),
    ])
  return {
    isPaused,
    quoteSigner: quoteSigner.toLowerCase() as Address,
    authority: authority.toLowerCase() as Address,
    blockTime: Number(blockTime),
    approved: new Set(approved.flat()),
    peers: new Set(peers.flat()),
    gasLimits: new Set(gasLimits.flat()),
  }
}

async function mayAll(
  client: PublicClient,
  { transitStation }: AddressBookChain,
  authority: Address,
): Promise<boolean> {
  if (authority === zeroAddress || !transitStation) return false
  const isPublic = await Promise.all(
    SUBMISSIONS.map((selector) =>
      client.readContract({
        address: authority,
        abi: rolesAuthorityAbi,
        functionName: 'isCapabilityPublic',
        args: [transitStation.address, selector],
      }),
    ),
  )
  return isPublic.every(Boolean)
}

function refuseOldHead({ id, maxHeadAgeSeconds }: AddressBookChain, blockTime: number) {
  const age = Date.now() / 1_000 - blockTime
  if (maxHeadAgeSeconds === undefined || age <= maxHeadAgeSeconds) return
  throw new ServiceError('RPC_UNAVAILABLE', `The nodes of chain ${id} stand still`, {
    metadata: { chainId: String(id), blockAgeSeconds: String(Math.round(age)) },
    retryAfterSeconds: 1,
  })
}
