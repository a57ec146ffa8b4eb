import {
  type Account,
  createTestClient,
  defineChain,
  http,
  publicActions,
  type Transport,
  walletActions,
} from 'viem'
import type { AddressBook } from '../domain/addressBook/addressBook.ts'

/** A deployed local world: its nodes and its address book. */
export type World = { rpcUrls: Record<number, string>; addressBook: AddressBook }

type ClientOptions = {
  /** In ms; 0 for none. */
  timeout?: number
  /** Calls that are made at once are one request. */
  batch?: boolean
}

/** A client that reads, sends to and controls one local node. */
export function devnetClient(
  chainId: number,
  rpcUrl: string,
  { timeout = 10_000, batch = false }: ClientOptions = {},
) {
  const chain = defineChain({
    id: chainId,
    name: `local ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createTestClient<'anvil', Transport, typeof chain, Account | undefined>({
    mode: 'anvil',
    chain,
    pollingInterval: 200,
    cacheTime: 0,
    transport: http(rpcUrl, {
      timeout,
      batch,
      retryCount: 1,
      // viem bounds the time until the headers, and not that of the body.
      ...(timeout > 0 && {
        fetchFn: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(timeout) }),
      }),
    }),
  })
    .extend(publicActions)
    .extend(walletActions)
}

export type DevnetClient = ReturnType<typeof devnetClient>

/** The client of one chain of the world. Throws if the world has no such chain. */
export function worldClient(world: World, chainId: number, options?: ClientOptions): DevnetClient {
  const rpcUrl = world.rpcUrls[chainId]
  if (!rpcUrl) throw new Error(`The local world has no chain ${chainId}`)
  return devnetClient(chainId, rpcUrl, options)
}

/** The chains of the world that have a station, with its address and endpoint id. */
export function worldStations(world: World) {
  return world.addressBook.chains.flatMap(({ id, eid, transitStation }) =>
    transitStation && eid ? [{ chainId: id, eid, station: transitStation.address }] : [],
  )
}

/** The station of one chain. Throws if it has none. */
export function worldStation(world: World, chainId: number) {
  const station = worldStations(world).find((entry) => entry.chainId === chainId)
  if (!station) throw new Error(`The local world has no station on chain ${chainId}`)
  return station
}
