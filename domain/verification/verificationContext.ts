import type { Address, PublicClient } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { ServiceError } from '../error/serviceError.ts'
import { type Finding, unverified } from './finding.ts'

/** What the checks share. Chains that are not `reachable` are reported once, and nothing more of them. */
export type VerificationContext = {
  book: AddressBook
  chains: ChainClients
  reachable: ReadonlySet<number>
}

type Question = {
  chainId: number
  place: string
  run: () => Promise<Finding[]>
}

/** The findings of a check that asks one chain; that it does not answer any more is one of them. */
export async function ask(
  { reachable }: VerificationContext,
  { chainId, place, run }: Question,
): Promise<Finding[]> {
  if (!reachable.has(chainId)) return []
  const findings = await run().catch(unlessUnavailable)
  return findings ?? [unverified(place, `not verified: no node of chain ${chainId} answers`)]
}

/** Null for a chain whose nodes do not answer; what else failed goes on. */
export function unlessUnavailable(error: unknown): null {
  if (error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE') return null
  throw error
}

/** Whether a contract is there. */
export async function hasCode(client: PublicClient, address: Address): Promise<boolean> {
  return (await client.getCode({ address })) !== undefined
}
