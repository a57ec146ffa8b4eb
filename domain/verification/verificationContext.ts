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
  return run().catch((error) => {
    if (!(error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE')) throw error
    return [unverified(place, `no node of chain ${chainId} answers`)]
  })
}

export async function hasCode(client: PublicClient, address: Address): Promise<boolean> {
  return (await client.getCode({ address })) !== undefined
}
