import type { Address, PublicClient } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import type { ChainClients } from '../chain/chainClients.ts'
import { unlessUnavailable } from '../error/unlessUnavailable.ts'
import { type Finding, unverified } from './finding.ts'

/** Shared by all checks. Chains that are not `reachable` are reported once and not checked further. */
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

/** The findings of a check that asks one chain, or an `unverified` if the chain does not answer any more. */
export async function ask(
  { reachable }: VerificationContext,
  { chainId, place, run }: Question,
): Promise<Finding[]> {
  if (!reachable.has(chainId)) return []
  const findings = await run().catch(unlessUnavailable)
  return findings ?? [unverified(place, `not verified: no node of chain ${chainId} answers`)]
}

/** Whether there is a contract at the address, now or after a block of the past. */
export async function hasCode(
  client: PublicClient,
  address: Address,
  blockNumber?: bigint,
): Promise<boolean> {
  const at = blockNumber === undefined ? {} : { blockNumber }
  return (await client.getCode({ address, ...at })) !== undefined
}
