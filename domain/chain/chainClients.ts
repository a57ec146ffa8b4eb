import {
  BaseError,
  createPublicClient,
  type FallbackTransportConfig,
  fallback,
  type PublicClient,
} from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { ServiceError } from '../error/serviceError.ts'
import { chainHttp } from './chainHttp.ts'
import { apart } from './gatheredReads.ts'
import { createSharedReads } from './sharedReads.ts'

/** One client per chain, shared by all reads of the process. */
export type ChainClients = {
  /** The chain's client. Throws `RPC_UNAVAILABLE` for a chain that is not configured. */
  get(chainId: number): PublicClient
  /**
   * Reads a chain, for 2.6 s at most over all of its nodes, unless told otherwise. Throws
   * `RPC_UNAVAILABLE` for what its nodes fail with, and what `read` throws of its own.
   */
  read<Result>(chainId: number, read: (client: PublicClient) => Promise<Result>): Promise<Result>
  /** The node's newest block number, at most a second old. Throws `RPC_UNAVAILABLE`. */
  head(chainId: number): Promise<bigint>
}

export type ChainEndpoint = { chainId: number; rpcUrls: string[] }

/** For one read over all URLs of a chain: who asks for a quote learns within 3 s that there is none. */
const READ_TIMEOUT_MS = 2_600
/** Of one call, however many URLs there are. */
const LEAST_CALL_TIMEOUT_MS = 600
const HEAD_LIFE_MS = 1_000
/** Over all URLs: health and meta are asked in order to learn just this. */
const HEAD_TIMEOUT_MS = 2_000
/** Of calldata in one multicall: all that one answer reads of a chain is one round trip. */
const BATCH_BYTES = 64 * 1024
/**
 * A node that is silent must not be waited for by every call: those that answer are asked first. The
 * question is one that shows a URL behind which there is another chain's node now.
 */
const RANKING: Exclude<FallbackTransportConfig['rank'], boolean | undefined> = {
  interval: 2_000,
  timeout: 1_000,
  sampleCount: 5,
  ping: ({ transport }) => transport.request({ method: 'eth_chainId' }),
}

export type ChainClientsOptions = {
  /** Of one read over all URLs of a chain; the default is what a client of the api waits for. */
  readTimeoutMs?: number
}

/** Clients that batch by multicall and fall back over each chain's URLs, with a timeout per call. */
export function createChainClients(
  endpoints: ChainEndpoint[],
  book: Pick<AddressBook, 'chains'>,
  { readTimeoutMs = READ_TIMEOUT_MS }: ChainClientsOptions = {},
): ChainClients {
  const multicall3 = new Map(book.chains.map((chain) => [chain.id, chain.multicall3]))
  const clients = new Map(
    endpoints.map(({ chainId, rpcUrls }) => [
      chainId,
      createClient({ chainId, rpcUrls, multicall3: multicall3.get(chainId), readTimeoutMs }),
    ]),
  )
  const heads = createSharedReads(
    { name: 'heads', keyOf: String, max: 1_000, lifeMs: HEAD_LIFE_MS },
    (chainId: number) =>
      read(chainId, (client) => client.getBlockNumber({ cacheTime: 0 }), HEAD_TIMEOUT_MS),
  )

  function get(chainId: number): PublicClient {
    const client = clients.get(chainId)
    if (!client)
      throw new ServiceError('RPC_UNAVAILABLE', `No node of chain ${chainId} is configured`, {
        metadata: { chainId: String(chainId) },
      })
    return client
  }

  async function read<Result>(
    chainId: number,
    run: (client: PublicClient) => Promise<Result>,
    timeoutMs = readTimeoutMs,
  ): Promise<Result> {
    return within(timeoutMs, run(apart(get(chainId)))).catch((cause) => {
      // What viem does not throw is a refusal of the read's own, or a fault of ours.
      const isOfNodes = cause instanceof BaseError || cause instanceof NoAnswerInTime
      throw isOfNodes ? rpcUnavailable(chainId, cause) : cause
    })
  }

  return { get, read: (chainId, run) => read(chainId, run), head: heads.get }
}

class NoAnswerInTime extends Error {
  override name = 'NoAnswerInTime'
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerInTime(`no answer within ${ms} ms`)), ms)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** The error of a chain whose nodes do not answer; the cause is for the log. */
function rpcUnavailable(chainId: number, cause: unknown): ServiceError {
  return new ServiceError('RPC_UNAVAILABLE', `No node of chain ${chainId} answers`, {
    metadata: { chainId: String(chainId) },
    retryAfterSeconds: 1,
    cause,
  })
}

type ClientOptions = ChainEndpoint & {
  multicall3: `0x${string}` | undefined
  readTimeoutMs: number
}

function createClient(options: ClientOptions): PublicClient {
  const { chainId, rpcUrls, multicall3, readTimeoutMs } = options
  const timeoutMs = Math.max(readTimeoutMs / rpcUrls.length, LEAST_CALL_TIMEOUT_MS)
  return createPublicClient({
    chain: {
      id: chainId,
      name: `chain ${chainId}`,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: rpcUrls } },
      ...(multicall3 ? { contracts: { multicall3: { address: multicall3 } } } : {}),
    },
    // A contract could name URLs for this server to fetch.
    ccipRead: false,
    batch: { multicall: { wait: 0, batchSize: BATCH_BYTES } },
    transport: fallback(
      rpcUrls.map((url) => chainHttp({ chainId, url, multicall3, timeoutMs })),
      { retryCount: 0, rank: rpcUrls.length > 1 ? RANKING : false },
    ),
  })
}
