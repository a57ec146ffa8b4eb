import type { AddressBook, AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import type { ChainUrls } from '../../processes/configuration/chainUrls.ts'
import type { Line } from '../doctor/line.ts'

/** The book and the nodes that a rehearsal tries, and how much it does with them. */
export type RehearsalOptions = {
  book: AddressBook
  /** The file of the book. */
  path: string
  chainUrls: ReadonlyMap<number, ChainUrls>
  /** Whether the chains are those of `npm start`. */
  isLocal: boolean
  now: () => number
  /** How many of the newest blocks of each chain are indexed; null for all blocks. */
  blocks: number | null
  /** An empty database for the index; null for a Postgres of its own. */
  databaseUrl: string | null
  /** How many rows of each table are judged by the other provider. */
  sample: number
  /** For how long the index may take, and for how long it is then watched. */
  indexMinutes: number
  followSeconds: number
  /** USD per million calls, for what a day costs. */
  callPrice: number
}

/** The nodes of one chain: each is a provider of its own. */
export type ChainOfNodes = { chain: AddressBookChain; urls: string[] }

export function chainsOfNodes({ book, chainUrls }: RehearsalOptions): ChainOfNodes[] {
  return book.chains.map((chain) => ({ chain, urls: chainUrls.get(chain.id)?.rpcUrls ?? [] }))
}

/** How often one process calls a node, measured. */
export type MeasuredUse = { chainId: number; method: string; callsPerDay: number }

export type StageResult = { lines: Line[]; use?: MeasuredUse[] }

/** A part of a rehearsal. One that was done is not done again, unless its inputs have changed. */
export type Stage = {
  name: string
  run: (options: RehearsalOptions) => Promise<StageResult>
}
