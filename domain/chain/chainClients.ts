import { createPublicClient, fallback, type PublicClient } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { ServiceError } from '../error/serviceError.ts'
import { chainHttp } from './chainHttp.ts'

/** One client per chain, shared by all reads of the process. */
export type ChainClients = {
  /** The chain's client. Throws `RPC_UNAVAILABLE` for a chain that is not configured. */
  get(chainId: number): PublicClient
  /** The node's newest block number, at most a second old. Throws `RPC_UNAVAILABLE`. */
  head(chainId: number): Promise<bigint>
}

export type ChainEndpoint = { chainId: number; rpcUrls: string[] }

const CALL_TIMEOUT_MS = 2_500
const HEAD_LIFE_MS = 1_000
/** Over all URLs: health and meta are asked in order to learn just this. */
const HEAD_TIMEOUT_MS = 2_000
/** A node that is silent must not be waited for by every call: those that answer are asked first. */
const RANKING = { interval: 2_000, timeout: 1_000, sampleCount: 5 }

/** Clients that batch by multicall and fall back over each chain's URLs, with a timeout per call. */
export function createChainClients(endpoints: ChainEndpoint[], book: AddressBook): ChainClients {
  const multicall3 = new Map(book.chains.map((chain) => [chain.id, chain.multicall3]))
  const clients = new Map(
    endpoints.map(({ chainId, rpcUrls }) => [
      chainId,
      createClient(chainId, rpcUrls, multicall3.get(chainId)),
    ]),
  )
  const heads = new Map<number, { at: number; block: Promise<bigint> }>()

  function get(chainId: number): PublicClient {
    const client = clients.get(chainId)
    if (!client)
      throw new ServiceError('RPC_UNAVAILABLE', `No node of chain ${chainId} is configured`)
    return client
  }

  return {
    get,
    head(chainId) {
      const known = heads.get(chainId)
      if (known && Date.now() - known.at < HEAD_LIFE_MS) return known.block
      const block = within(HEAD_TIMEOUT_MS, get(chainId).getBlockNumber({ cacheTime: 0 })).catch(
        (cause) => {
          heads.delete(chainId)
          throw rpcUnavailable(chainId, cause)
        },
      )
      heads.set(chainId, { at: Date.now(), block })
      return block
    },
  }
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** The error of a chain whose nodes do not answer; the cause is for the log. */
export function rpcUnavailable(chainId: number, cause: unknown): ServiceError {
  return new ServiceError('RPC_UNAVAILABLE', `No node of chain ${chainId} answers`, {
    metadata: { chainId: String(chainId) },
    retryAfterSeconds: 1,
    cause,
  })
}

function createClient(
  chainId: number,
  rpcUrls: string[],
  multicall3: `0x${string}` | undefined,
): PublicClient {
  return createPublicClient({
    chain: {
      id: chainId,
      name: `chain ${chainId}`,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: rpcUrls } },
      ...(multicall3 ? { contracts: { multicall3: { address: multicall3 } } } : {}),
    },
    batch: { multicall: { wait: 0 } },
    transport: fallback(
      rpcUrls.map((url) => chainHttp(chainId, url, CALL_TIMEOUT_MS)),
      { retryCount: 0, rank: rpcUrls.length > 1 ? RANKING : false },
    ),
  })
}
