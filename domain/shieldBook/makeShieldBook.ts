import type { Address, Hex } from 'viem'
import type { AddressBook, AddressBookChain } from '../addressBook/addressBook.ts'
import { factoriesOf } from '../addressBook/factories.ts'
import { shareDecimalsOf } from '../earn/vaults/baseOf.ts'
import { type EarnDeployment, earnDeployments } from '../earn/vaults/deployments.ts'
import type { TokenReader } from '../token/tokenReader.ts'

/** The parts of a shield book that the address book does not have. Times are Unix seconds. */
export type ShieldBookOptions = {
  issuedAt: number
  expiresAt: number
  /** The latest deadline of a quote or a permit, from its making. */
  maxDeadlineSeconds: number
  /** The accounts that may sign quotes: two while the key is changed. */
  quoteSigners: readonly Address[]
  /** Former factories of generation A, which are no longer in the address book: users may still have their addresses. */
  formerFactories?: readonly { chainId: number; factory: Address; implementation: Address }[]
}

/** The latest deadline of a quote or a permit where the operator names no other: twice a permit's usual hour. */
export const DEFAULT_MAX_DEADLINE_SECONDS = 7_200

/** A former factory is of a chain that the address book does not have. */
export class FormerFactoryError extends Error {
  override name = 'FormerFactoryError'
}

/**
 * The book by which `@causeway/sdk/shield` checks what users sign. Its type in the SDK is `ShieldBook`. Throws
 * `FormerFactoryError`.
 */
export function makeShieldBook(book: AddressBook, options: ShieldBookOptions) {
  const { issuedAt, expiresAt, maxDeadlineSeconds, formerFactories = [] } = options
  const unknown = formerFactories.find(
    ({ chainId }) => !book.chains.some(({ id }) => id === chainId),
  )
  if (unknown)
    throw new FormerFactoryError(
      `former factory: chain ${unknown.chainId} is not in the address book`,
    )
  const listed = (chainId: number, address: Address) =>
    book.tokens.find((token) => token.chainId === chainId && token.address === address)
  return {
    format: 1 as const,
    environment: book.environment,
    issuedAt,
    expiresAt,
    maxDeadlineSeconds,
    chains: book.chains.map((chain) => chainEntry(chain, options)),
    tokens: book.tokens.map(({ chainId, address, symbol, decimals }) => ({
      chainId,
      address,
      symbol,
      decimals,
    })),
    vaults: earnDeployments(book).map((deployment) => vaultEntry(deployment, listed)),
  }
}

/** The book with the operator's signature (EIP-191), as it is shipped. */
export async function signShieldBook(
  book: ReturnType<typeof makeShieldBook>,
  { signMessage }: { signMessage: (message: { message: string }) => Promise<Hex> },
) {
  return { book, signature: await signMessage({ message: JSON.stringify(book) }) }
}

function chainEntry(
  chain: AddressBookChain,
  { quoteSigners, formerFactories = [] }: ShieldBookOptions,
) {
  const { id, name, eid, transitStation } = chain
  const { address, maxMessageFee } = transitStation ?? {}
  const ofBook = factoriesOf(chain).map(({ address: factory, implementation, generation }) => ({
    factory,
    implementation,
    generation,
  }))
  const former = formerFactories
    .filter(({ chainId }) => chainId === id)
    .map(({ factory, implementation }) => ({ factory, implementation }))
  return {
    id,
    name,
    station:
      address && maxMessageFee && eid !== undefined
        ? { address, eid, quoteSigners, maxMessageFee }
        : null,
    smartDepositFactories: [...ofBook, ...former],
  }
}

function vaultEntry(deployment: EarnDeployment, listed: TokenReader['listed']) {
  const { chainId, vault: address, name, teller, accountant, depositor, queue, queues } = deployment
  return {
    chainId,
    address,
    name,
    decimals: shareDecimalsOf({ tokens: { listed } }, deployment),
    teller,
    accountant,
    depositor,
    depositorGeneration: deployment.depositorGeneration,
    queue,
    queues,
    assets: deployment.assets.map((asset) => asset.address),
  }
}
