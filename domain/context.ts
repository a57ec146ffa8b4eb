import type { Sql } from 'postgres'
import type { Caller } from './access/caller.ts'
import type { AddressBook } from './addressBook/addressBook.ts'
import type { ChainClients } from './chain/chainClients.ts'
import type { KnownAddresses } from './chain/knownAddresses.ts'
import type { ServiceError } from './error/serviceError.ts'
import type { HighWater } from './index/highWater.ts'
import type { IndexPools, ReadIndex } from './index/indexPools.ts'
import type { IndexReads } from './index/indexReads.ts'
import type { IndexWait } from './index/indexWait.ts'
import type { TokenReader } from './token/tokenReader.ts'

/** An operator's settings for prepared transactions. */
export type Settings = {
  quoteTtlSeconds: number
  permitTtlSeconds: number
  /** A margin on top of the fee that a station quotes for a message. */
  messageFeeHeadroomPercent: number
  /** The fraction of a deposit's shares that may be lost until it is mined. An organization can set its own. */
  depositSlippageBps: number
}

/** Shared by all areas for the life of the process. Each area adds its own services, e.g. `TransitServices`. */
export type SharedServices = IndexPools & {
  /** For changes under an `Idempotency-Key`: each holds a connection until it is answered, so they have their own. */
  changeSql: Sql
  addressBook: AddressBook
  chains: ChainClients
  highWater: HighWater
  /** Runs a statement on the index, on the primary or a replica. */
  readIndex: ReadIndex
  /** What was read last of the index; a key begins with the name of the read. */
  indexReads: IndexReads
  indexWait: IndexWait
  knownAddresses: KnownAddresses
  tokens: TokenReader
  settings: Settings
  /** 32 bytes from which the keys of page tokens and of key hashes are derived; equal on every replica. */
  appSecret: Uint8Array
  /** The file of the report of `npm run rehearse`; null for none. */
  rehearsalReport: string | null
  /** The origin at which browsers reach the console; null where it is off. */
  consoleOrigin: string | null
}

/** Why the rows of a chain are missing, and the field of the GraphQL answer that lacks them. */
export type LostChain = { error: ServiceError; path?: (string | number)[] }

/** The part of the context that belongs to one request. */
export type RequestScope = {
  requestId: string
  caller: Caller | null
  /** The client's IPv4 address or IPv6 network. */
  clientAddress: string
  /** Per chain id, the indexed block at which the answer was read. */
  freshness: Map<number, bigint>
  /** Chains of which the answer shows an older state, or lacks a row that cannot be read. */
  degraded: Set<number>
  /** Chains of which nothing is known, so that the answer lacks their rows. Each becomes an error of it. */
  lostChains: LostChain[]
}

export type SharedContext = SharedServices & RequestScope
