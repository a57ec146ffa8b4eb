import { BaseError, createPublicClient, type PublicClient } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { createKeptReads, createReadStore, type ReadStore } from '../cache/keptReads.ts'
import type { PublishedRead } from '../cache/publishedReads.ts'
import { ServiceError } from '../error/serviceError.ts'
import { type ChainNodes, createChainNodes } from './chainNodes.ts'
import {
  type Beat,
  type ChainPulse,
  createChainPulse,
  type Pulse,
  type PulseTimes,
} from './chainPulse.ts'
import { apart } from './gatheredReads.ts'
import { nodeTransport } from './nodeTransport.ts'
import { createRpcNode, type NodeFailure, type Probe } from './rpcNode.ts'

/** One client per chain, shared by all reads of the process. */
export type ChainClients = {
  /** The chain's client. Throws `RPC_UNAVAILABLE` for a chain that is not configured. */
  get(chainId: number): PublicClient
  /**
   * Reads a chain, for at most 2.6 s over all of its nodes unless `readTimeoutMs` differs. Throws
   * `RPC_UNAVAILABLE` when its nodes fail, and every other error that `read` throws.
   */
  read<Result>(chainId: number, read: (client: PublicClient) => Promise<Result>): Promise<Result>
  /**
   * Readers of a chain's nodes, each of one node alone: for what one node may hide. Throws `RPC_UNAVAILABLE` for a chain
   * that is not configured.
   */
  each(chainId: number): LogReader[]
  /** The node's newest block number, at most a second old. Throws `RPC_UNAVAILABLE`. */
  head(chainId: number): Promise<bigint>
  /** The same, at most ten seconds old: for what is shown every few seconds. */
  recentHead(chainId: number): Promise<bigint>
  /** The most blocks whose logs the chain's nodes are known to give at once; infinite until they refuse. */
  mostLogBlocks(chainId: number): number
  /** Whether the chain's nodes answer; known within a second. `down` for a chain that is not configured. */
  pulse(chainId: number): Promise<Pulse>
}

/** Reads ranges of logs, from all nodes of a chain or from one of them. */
export type LogReader = Pick<ChainClients, 'read' | 'head' | 'mostLogBlocks'>

export type ChainEndpoint = { chainId: number; rpcUrls: string[] }

/** For one read over all URLs of a chain: a quote is refused within 3 s. */
const READ_TIMEOUT_MS = 2_600
/** For one call, however many URLs there are. */
const LEAST_CALL_TIMEOUT_MS = 600
const HEAD_LIFE_MS = 1_000
const RECENT_MS = 10_000
const MOST_CHAINS = 1_000
/** Over all URLs, for the head alone: less than other reads, so that what shows only heads is quick. */
const HEAD_TIMEOUT_MS = 2_000
/** Probes find a silent or slow node before a read waits for it. */
const PROBE_MS = 2_000
/** Less than from one probe to the next, which may come a little early. */
const PROBE_LIFE_MS = PROBE_MS * 0.95
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024
/** Above 100,000 logs. A payment whose transaction receipt is too large would stop the keeper. */
const MAX_RECEIPT_BYTES = 64 * 1024 * 1024

export type ChainClientsOptions = {
  /** For one read over all URLs of a chain. The default suits a client of the api. */
  readTimeoutMs?: number
  pulseTimes?: PulseTimes | undefined
  /** Keeps the heads, and publishes them, pulses and probes if it publishes. By default one of its own. */
  store?: ReadStore
  /** Called each time that a node fails. */
  onNodeFailure?: (chainId: number, failure: NodeFailure) => void
}

/** Clients over each chain's nodes, with a timeout per call. */
export function createChainClients(
  endpoints: ChainEndpoint[],
  book: Pick<AddressBook, 'chains'>,
  options: ChainClientsOptions = {},
): ChainClients {
  const { readTimeoutMs = READ_TIMEOUT_MS, pulseTimes, onNodeFailure = () => {} } = options
  const { store = createReadStore('heads', { max: MOST_CHAINS }) } = options
  const multicall3 = new Map(book.chains.map((chain) => [chain.id, chain.multicall3]))
  const pulses = new Map<number, ChainPulse>()
  const clients = new Map<number, PublicClient>()
  const nodesOf = new Map<number, ChainNodes>()
  const alone = new Map<number, LogReader[]>()
  for (const { chainId, rpcUrls } of endpoints) {
    const chain = { chainId, multicall3: multicall3.get(chainId) }
    const onFailure = (failure: NodeFailure) => onNodeFailure(chainId, failure)
    const shareProbes = (probe: () => Promise<Probe[]>) =>
      share({ name: 'probes', key: `probes:${chainId}`, maxAgeMs: PROBE_LIFE_MS, read: probe })
    const nodes = createNodes({ ...chain, rpcUrls, readTimeoutMs, onFailure, shareProbes })
    nodesOf.set(chainId, nodes)
    clients.set(chainId, createClient({ ...chain, nodes }))
    alone.set(
      chainId,
      nodes.each().map((node) => readerOf(node, chain)),
    )
    const ask = (timeoutMs: number) =>
      share({
        name: 'pulses',
        key: `pulses:${chainId}`,
        maxAgeMs: RECENT_MS,
        read: () => beatOf(nodes, timeoutMs),
      })
    pulses.set(chainId, createChainPulse(ask, pulseTimes))
  }
  const keptHeads = (name: string, lifeMs: number) =>
    createKeptReads(store, { name, keyOf: String, lifeMs }, (chainId: number) =>
      read(chainId, (client) => client.getBlockNumber({ cacheTime: 0 }), {
        timeoutMs: HEAD_TIMEOUT_MS,
      }),
    )
  const heads = keptHeads('heads', HEAD_LIFE_MS)
  const recentHeads = keptHeads('recent_heads', RECENT_MS)

  /** Its answer, or that which another process has just published. */
  async function share<Value>(of: PublishedRead<Value>): Promise<Value> {
    return store.published ? (await store.published.get(of)).value : of.read()
  }

  function get(chainId: number): PublicClient {
    return orUnconfigured(clients.get(chainId), chainId)
  }

  async function read<Result>(
    chainId: number,
    run: (client: PublicClient) => Promise<Result>,
    { timeoutMs = readTimeoutMs, client = get(chainId) } = {},
  ): Promise<Result> {
    return within(timeoutMs, run(apart(client))).catch((cause) => {
      // Other errors are refusals of the read itself, or bugs.
      const isOfNodes = cause instanceof BaseError || cause instanceof NoAnswerInTime
      throw isOfNodes ? rpcUnavailable(chainId, cause) : cause
    })
  }

  /** A node of a chain, alone. */
  function readerOf(nodes: ChainNodes, chain: Chain): LogReader {
    const client = createClient({ ...chain, nodes })
    return {
      read: (chainId, run) => read(chainId, run, { client }),
      head: (chainId) => heads.get(chainId),
      mostLogBlocks: nodes.mostLogBlocks,
    }
  }

  return {
    get,
    read: (chainId, run) => read(chainId, run),
    each: (chainId) => orUnconfigured(alone.get(chainId), chainId),
    head: heads.get,
    recentHead: recentHeads.get,
    mostLogBlocks: (chainId) => nodesOf.get(chainId)?.mostLogBlocks() ?? Infinity,
    pulse: async (chainId) => (await pulses.get(chainId)?.check()) ?? { status: 'down' },
  }
}

async function beatOf(nodes: ChainNodes, timeoutMs: number): Promise<Beat> {
  const start = performance.now()
  const head = await nodes.head(timeoutMs)
  return { head, latencyMs: Math.round(performance.now() - start) }
}

function orUnconfigured<Found>(found: Found | undefined, chainId: number): Found {
  if (found) return found
  throw new ServiceError('RPC_UNAVAILABLE', `No node of chain ${chainId} is configured`, {
    metadata: { chainId: String(chainId) },
  })
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

/** The error for a chain whose nodes do not answer. The cause is for the log. */
function rpcUnavailable(chainId: number, cause: unknown): ServiceError {
  return new ServiceError('RPC_UNAVAILABLE', `No node of chain ${chainId} answers`, {
    metadata: { chainId: String(chainId) },
    retryAfterSeconds: 1,
    cause,
  })
}

type Chain = { chainId: number; multicall3: `0x${string}` | undefined }
type NodesOptions = Chain & {
  rpcUrls: string[]
  readTimeoutMs: number
  onFailure: (failure: NodeFailure) => void
  shareProbes: (probe: () => Promise<Probe[]>) => Promise<Probe[]>
}

function createNodes({
  chainId,
  rpcUrls,
  multicall3,
  readTimeoutMs,
  onFailure,
  shareProbes,
}: NodesOptions): ChainNodes {
  const timeoutMs = Math.max(readTimeoutMs / rpcUrls.length, LEAST_CALL_TIMEOUT_MS)
  const limits = {
    timeoutMs,
    rangeTimeoutMs: Math.max(timeoutMs, readTimeoutMs),
    maxResponseBytes: MAX_RESPONSE_BYTES,
    maxReceiptBytes: MAX_RECEIPT_BYTES,
  }
  const nodes = rpcUrls.map((url) => createRpcNode({ chainId, url, limits, multicall3, onFailure }))
  return createChainNodes(chainId, nodes, { probeMs: PROBE_MS, shareProbes })
}

function createClient({ chainId, multicall3, nodes }: Chain & { nodes: ChainNodes }): PublicClient {
  return createPublicClient({
    chain: {
      id: chainId,
      name: `chain ${chainId}`,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      // Only viem's types need a URL: `nodeTransport` asks the nodes.
      rpcUrls: { default: { http: [] } },
      ...(multicall3 ? { contracts: { multicall3: { address: multicall3 } } } : {}),
    },
    // Off: a contract could name URLs for this server to fetch.
    ccipRead: false,
    transport: nodeTransport(chainId, nodes),
  })
}
