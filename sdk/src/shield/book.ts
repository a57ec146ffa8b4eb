import { type Address, type Hex, recoverMessageAddress } from 'viem'
import { isSame, must, ShieldError } from './shieldError.ts'

/** The contracts of one installation, as its operator signs them. Addresses are lower case, times Unix seconds. */
export type ShieldBook = {
  format: 1
  environment: string
  issuedAt: number
  expiresAt: number
  /** The latest deadline of a quote or a permit, from now. */
  maxDeadlineSeconds: number
  chains: readonly BookChain[]
  tokens: readonly BookToken[]
  vaults: readonly BookVault[]
}

export type BookChain = {
  id: number
  name: string
  /** Null for a chain without a station. */
  station: BookStation | null
  /** The present factory of smart deposit addresses first, then former ones. */
  smartDepositFactories: readonly BookFactory[]
}

export type BookFactory = {
  factory: Address
  implementation: Address
  /** Absent for `A`. Addresses of `B` are the same on every chain. */
  generation?: 'A' | 'B'
}

export type BookStation = {
  address: Address
  eid: number
  /** The accounts that may sign its quotes: two while the key is changed. */
  quoteSigners: readonly Address[]
  /** The most that a message may cost, in wei. */
  maxMessageFee: string
}

export type BookToken = { chainId: number; address: Address; symbol: string; decimals: number }

export type BookVault = {
  chainId: number
  address: Address
  name: string
  decimals: number
  teller: Address
  accountant: Address
  depositor: Address
  /** Decides how the depositor takes its fee. */
  depositorGeneration: string
  queue: Address
  /** Every queue of the vault. Requests in former ones can be cancelled. */
  queues: readonly Address[]
  assets: readonly Address[]
}

/** The book with the operator's signature (EIP-191) over `JSON.stringify(book)`. */
export type SignedShieldBook = { book: ShieldBook; signature: Hex }

/** What an app ships: the book, and the operator's accounts of which one must have signed it. */
export type ShieldSource = {
  /** A `SignedShieldBook`, as it was read. Its signature shows that it is one. */
  book: { book: object; signature: string }
  signers: readonly Address[]
  /** The `environment` of the book. Default `PRODUCTION`, so that no book of another installation is taken for it. */
  environment?: string | undefined
  /** Unix seconds. A book that is older is refused: the `issuedAt` of the one that the app ships. */
  notBefore?: number | undefined
}

declare const opened: unique symbol
/** A book whose signature was checked. */
export type OpenBook = ShieldBook & { readonly [opened]: true }

type Signed = { book: OpenBook; signer: Address | null }

/** Books that were read, with who has signed them: to recover a signer takes milliseconds (`bench/shield.ts`). */
const readBooks = new WeakMap<ShieldSource['book'], Signed>()
/** `issuedAt` of the newest book that this process opened, by signers and environment: a server cannot go back to an older one. */
const newestIssues = new Map<string, number>()

/**
 * Checks a book: its signer, its environment and its age. A book that is older than one of the same signers which this
 * process has opened is refused. Throws `ShieldError`.
 *
 * @example
 * const book = await openBook(shield)
 */
export async function openBook({
  book: given,
  signers,
  environment = 'PRODUCTION',
  notBefore = 0,
}: ShieldSource): Promise<OpenBook> {
  const { book, signer } = readBooks.get(given) ?? (await readBook(given))
  const isPinned = signer !== null && signers.some((one) => isSame(one, signer))
  must(isPinned, 'BOOK_NOT_SIGNED', 'the book is signed by none of the pinned keys')
  must(book.format === 1, 'BOOK_NOT_SIGNED', 'the book has another format than this version reads')
  must(
    book.environment === environment,
    'BOOK_NOT_SIGNED',
    `the book is for ${book.environment}, and the app for ${environment}`,
  )
  must(book.issuedAt >= notBefore, 'BOOK_NOT_SIGNED', 'the book is older than the one of the app')
  const name = [environment, ...signers.map((one) => one.toLowerCase()).sort()].join()
  const newest = newestIssues.get(name) ?? 0
  must(book.issuedAt >= newest, 'BOOK_NOT_SIGNED', 'a newer book of the same signers was opened')
  requireCurrent(book, Date.now() / 1_000)
  newestIssues.set(name, book.issuedAt)
  return book
}

async function readBook(given: ShieldSource['book']): Promise<Signed> {
  // What is used later must be what was signed, also if the app's copy is changed.
  const text = JSON.stringify(given.book)
  const signature = given.signature as Hex // Any text that is no signature is refused.
  // Text that is no signature has no signer.
  const signer = await recoverMessageAddress({ message: text, signature }).catch(() => null)
  const read: Signed = { book: JSON.parse(text), signer }
  readBooks.set(given, read)
  return read
}

/** Throws `BOOK_EXPIRED` for a book that has expired. */
export function requireCurrent({ expiresAt }: ShieldBook, now: number): void {
  must(now < expiresAt, 'BOOK_EXPIRED', 'the book has expired: ship or fetch a newer one')
}

/** A chain of the book. Throws `NOT_IN_BOOK`, as the others below. */
export function chainOf(book: OpenBook, chainId: number): BookChain {
  return book.chains.find(({ id }) => id === chainId) ?? missing(`chain ${chainId}`)
}

export function stationOf(book: OpenBook, chainId: number): BookStation {
  return chainOf(book, chainId).station ?? missing(`a station on chain ${chainId}`)
}

export function tokenOf(book: OpenBook, chainId: number, address: Address): BookToken {
  const isIt = (token: BookToken) => token.chainId === chainId && isSame(token.address, address)
  return book.tokens.find(isIt) ?? missing(`token ${address} on chain ${chainId}`)
}

export function vaultOf(book: OpenBook, chainId: number, address: Address): BookVault {
  const isIt = (vault: BookVault) => vault.chainId === chainId && isSame(vault.address, address)
  return book.vaults.find(isIt) ?? missing(`vault ${address} on chain ${chainId}`)
}

function missing(what: string): never {
  throw new ShieldError('NOT_IN_BOOK', `the book has no ${what}`)
}
