import type { Address, PublicClient } from 'viem'
import type { AddressBook, AddressBookChain } from '../../addressBook/addressBook.ts'
import { createKeptReads, type KeptReads } from '../../cache/keptReads.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import type { ChainReading } from '../../chain/chainReading.ts'
import { findChain } from '../../chain/findChain.ts'
import { unlessRefusedRead } from '../../chain/gatheredReads.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'

/** A value with the time of the block at which it was read. */
export type AtBlock<Value> = Value & {
  /** Unix seconds. */
  blockTimestamp: number
}

/**
 * Values read from all deployments of a chain together, kept and shared by all requests. By chain id, and
 * then by vault, without the deployments that cannot be read. Throws `RPC_UNAVAILABLE`.
 */
export type DeploymentCache<Value> = KeptReads<number, Map<Address, AtBlock<Value>>>

/**
 * Values of vaults that the API sends were read at most so many seconds before. A client's or a proxy's cache may add the
 * 10 s of `max-age`: 30 s in all.
 */
export const OLDEST_READ_SECONDS = 20
/** Requests share an answer for a second more. */
const LIFE_MS = (OLDEST_READ_SECONDS - 1) * 1_000
/** The share of its life after which a value is read anew, so that no request waits while others come. */
const REFRESH_SHARE = 0.75
/** The next requests need not wait for a chain that has just not answered. */
const FAILURE_LIFE_MS = 2_000

type Reading<Value> = {
  name: string
  /** Reads one deployment. Throws `RefusedRead` for one to be left out. */
  read: ReadOne<Value>
  /** 19 s by default. */
  lifeMs?: number
}

type ReadOne<Value> = (client: PublicClient, deployment: EarnDeployment) => Promise<Value>

/**
 * Reads all deployments of a chain in one multicall, shared by all requests. A deployment for which `read`
 * throws `RefusedRead` is left out.
 */
export function createDeploymentCache<Value>(
  book: AddressBook,
  { chains, store }: ChainReading,
  { name, read, lifeMs = LIFE_MS }: Reading<Value>,
): DeploymentCache<Value> {
  return createKeptReads(
    store,
    {
      name,
      keyOf: String,
      lifeMs,
      refreshMs: lifeMs * REFRESH_SHARE,
      failureLifeMs: FAILURE_LIFE_MS,
    },
    (chainId: number) => {
      const chain = findChain(book, chainId)
      const deployments = earnDeployments(book).filter((entry) => entry.chainId === chainId)
      return chains.read(chainId, (client) => readDeployments(client, { chain, deployments, read }))
    },
  )
}

/** Reads deployments of a chain in one multicall, by vault, without those that cannot be read. */
export async function readDeployments<Value>(
  client: PublicClient,
  asked: Chain<Value>,
): Promise<Map<Address, AtBlock<Value>>> {
  const [values, blockTimestamp] = await Promise.all([
    // A refused read of one must not hide the others.
    Promise.all(asked.deployments.map((one) => asked.read(client, one).catch(unlessRefusedRead))),
    readBlockTime(client, asked.chain),
  ])
  return new Map(
    asked.deployments.flatMap(({ vault }, index): [Address, AtBlock<Value>][] => {
      const value = values[index]
      return value ? [[vault, { ...value, blockTimestamp }]] : []
    }),
  )
}

type Chain<Value> = {
  chain: AddressBookChain
  deployments: EarnDeployment[]
  read: ReadOne<Value>
}
