import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'
import { type FieldViolation, invalidFields } from '../error/serviceError.ts'

/** Chains keep the addresses below this one for precompiled contracts (EIP-7587, RIPs, HyperEVM). */
const FIRST_ACCOUNT = 0x10000n

/** The violation of a destination that is a precompiled contract. */
export function refusePrecompile(user: Address | undefined): FieldViolation[] {
  if (user === undefined || BigInt(user) === 0n || BigInt(user) >= FIRST_ACCOUNT) return []
  return [violation('a precompiled contract')]
}

/**
 * Throws `INVALID_FIELD` for a destination that could never use shares: a contract of the address book on this
 * chain, or another smart deposit address.
 */
export async function refuseDestination(
  { addressBook, sql }: { addressBook: AddressBook; sql: Sql },
  { chainId, userDestinationAddress: user }: { chainId: number; userDestinationAddress: Address },
): Promise<void> {
  const name = contractsOf(addressBook, chainId).get(user)
  if (name) throw invalidFields([violation(name)])
  const found = await sql`
    select from app.smart_deposit_address where chain_id = ${chainId} and address = ${user}`
  if (found.length > 0) throw invalidFields([violation('a smart deposit address')])
}

function violation(what: string): FieldViolation {
  const description = `expected an account of the user, not ${what}`
  return { field: 'userDestinationAddress', description }
}

/** The contracts of a chain in the address book, each with what it is. */
function contractsOf({ chains, tokens, vaults }: AddressBook, chainId: number) {
  const contracts = new Map<Address, string>()
  const add = (address: Address | undefined, what: string) =>
    address && contracts.set(address, what)
  for (const chain of chains.filter(({ id }) => id === chainId)) {
    add(chain.smartDeposit?.factory, 'the factory of smart deposit addresses')
    add(chain.smartDeposit?.implementation, 'the implementation of smart deposit addresses')
    add(chain.transitStation?.address, 'a transit station')
    add(chain.multicall3, 'Multicall3')
  }
  for (const token of tokens.filter((entry) => entry.chainId === chainId))
    add(token.address, 'a token')
  for (const entry of vaults.flatMap(({ deployments }) => deployments)) {
    if (entry.chainId !== chainId) continue
    for (const kind of VAULT_CONTRACTS)
      for (const { address } of entry[kind]) add(address, 'a contract of a vault')
    add(entry.vault.address, 'a vault')
  }
  return contracts
}
