import { type Address, zeroAddress } from 'viem'
import { readIndexedBook } from '../../domain/addressBook/indexedBook.ts'
import { indexedDeployments } from '../../domain/addressBook/indexedChains.ts'
import { versionAt } from '../../domain/addressBook/versionAt.ts'

/** The address book's deployments by chain and contract, in lower case. */
const vaults = new Map<string, Address>()
const queues = new Set<string>()
const depositors = new Set<string>()
const accountants = new Map<string, Accountants>()

type Accountants = ReturnType<typeof indexedDeployments>[number]['accountants']

const book = readIndexedBook()
for (const { id } of book.chains)
  for (const deployment of indexedDeployments(book, id)) {
    const vault = deployment.vault.address
    accountants.set(placeOf(id, vault), deployment.accountants)
    for (const { address } of [
      deployment.vault,
      ...deployment.tellers,
      ...deployment.accountants,
      ...deployment.depositors,
      ...deployment.queues,
    ])
      vaults.set(placeOf(id, address), vault)
    for (const { address } of deployment.queues) queues.add(placeOf(id, address))
    for (const { address } of deployment.depositors) depositors.add(placeOf(id, address))
  }

type Emitted = {
  event: { log: { address: Address } }
  context: { chain: { id: number } }
}

/** The vault to which the emitting contract belongs, lower case. */
export function vaultOf({ event, context }: Emitted): Address {
  const vault = vaults.get(placeOf(context.chain.id, event.log.address))
  if (!vault) throw new Error(`Invariant(vaultOf): ${event.log.address} belongs to no vault`)
  return vault
}

/** Whether an account is a withdraw queue of one of the chain's vaults. */
export function isQueue(chainId: number, account: Address): boolean {
  return queues.has(placeOf(chainId, account))
}

/** Whether an account only passes shares on: the zero address, a depositor or a queue. */
export function passesShares(chainId: number, account: Address): boolean {
  return (
    account === zeroAddress ||
    isQueue(chainId, account) ||
    depositors.has(placeOf(chainId, account))
  )
}

/** Whether the vault used the emitting accountant in this block. */
export function isAccountantInUse(
  emitted: Emitted & { event: { block: { number: bigint } } },
): boolean {
  const { event, context } = emitted
  const versions = accountants.get(placeOf(context.chain.id, vaultOf(emitted))) ?? []
  const inUse = versionAt(versions, Number(event.block.number))
  return inUse?.address === event.log.address.toLowerCase()
}

function placeOf(chainId: number, address: Address): string {
  return `${chainId}:${address.toLowerCase()}`
}
