import { type Address, BaseError, type PublicClient } from 'viem'
import type { AddressBook, AddressBookChain } from '../../addressBook/addressBook.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { findChain } from '../../chain/findChain.ts'
import { apart, RefusedRead } from '../../chain/gatheredReads.ts'
import { unlessRefused } from '../../chain/revert.ts'
import { createSharedReads } from '../../chain/sharedReads.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'

/** What was read, and of when it is. */
export type AtBlock<Value> = Value & {
  /** Unix seconds: of the block that it was read at. */
  blockTimestamp: number
}

/** What the deployments of a chain say of themselves, shared by everybody who asks. */
export type SharedDeploymentReads<Value> = {
  /**
   * Of all deployments of a chain that answer, by vault, at most 19 s ago unless said otherwise where
   * they are created. Throws `RPC_UNAVAILABLE`.
   */
  get(chainId: number): Promise<Map<Address, AtBlock<Value>>>
}

/** interface.md allows discovery 30 s: an answer may be shared for one of them, and kept for ten. */
const LIFE_MS = 19_000
/** Of its life, when it is read anew: so that nobody waits for chains while somebody asks. */
const REFRESH_SHARE = 0.75
/** Who asks next need not wait for a chain that has just been silent. */
const FAILURE_LIFE_MS = 2_000

type Reading<Value> = {
  name: string
  /** Of one deployment. Throws `RefusedRead` for one to be left out. */
  read: ReadOne<Value>
  lifeMs?: number
}

type ReadOne<Value> = (client: PublicClient, deployment: EarnDeployment) => Promise<Value>

/**
 * Reads all deployments of a chain in one multicall, which everybody who asks shares. One for which
 * `read` throws `RefusedRead` is left out.
 */
export function createSharedDeploymentReads<Value>(
  book: AddressBook,
  chains: ChainClients,
  { name, read, lifeMs = LIFE_MS }: Reading<Value>,
): SharedDeploymentReads<Value> {
  async function readChain(client: PublicClient, chainId: number) {
    const deployments = earnDeployments(book).filter((entry) => entry.chainId === chainId)
    const answers = await readAll(client, { chain: findChain(book, chainId), deployments, read })
    return new Map(
      deployments.flatMap(({ vault }, index): [Address, AtBlock<Value>][] => {
        const answer = answers[index]
        return answer ? [[vault, answer]] : []
      }),
    )
  }

  return createSharedReads(
    {
      name,
      keyOf: String,
      max: 1_000,
      lifeMs,
      refreshMs: lifeMs * REFRESH_SHARE,
      failureLifeMs: FAILURE_LIFE_MS,
    },
    (chainId: number) => chains.read(chainId, (client) => readChain(client, chainId)),
  )
}

type Chain<Value> = {
  chain: AddressBookChain
  deployments: EarnDeployment[]
  read: ReadOne<Value>
}

/** All in one call; where one of them spoils that, each in its own. Null for one that cannot be read. */
async function readAll<Value>(
  client: PublicClient,
  { chain, deployments, read }: Chain<Value>,
): Promise<(AtBlock<Value> | null)[]> {
  const readThrough = async (of: PublicClient, some: EarnDeployment[]) => {
    const [values, blockTimestamp] = await Promise.all([
      // What one of them refuses to say must not hide the others.
      Promise.all(some.map((deployment) => read(of, deployment).catch(unlessRefusedRead))),
      readBlockTime(of, chain),
    ])
    return values.map((value) => value && { ...value, blockTimestamp })
  }
  const together = await unlessRefused(readThrough(client, deployments))
  if (together) return together
  const each = await Promise.all(
    deployments.map((deployment) => unlessRefused(readThrough(apart(client), [deployment]))),
  )
  const answers = each.map((alone) => alone?.[0] ?? null)
  if (answers.every((answer) => answer === null))
    throw new BaseError(`No deployment of chain ${chain.id} can be read`)
  return answers
}

function unlessRefusedRead(error: unknown): null {
  if (error instanceof RefusedRead) return null
  throw error
}
