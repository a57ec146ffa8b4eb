import type { Sql } from 'postgres'
import type { Caller } from './access/caller.ts'
import type { AddressBook } from './addressBook/addressBook.ts'
import type { ChainClients } from './chain/chainClients.ts'
import type { HighWater } from './chain/highWater.ts'
import type { KnownAddresses } from './chain/knownAddresses.ts'
import type { TokenReader } from './token/tokenReader.ts'

/** An operator's choices for prepared transactions. */
export type Settings = {
  quoteTtlSeconds: number
  permitTtlSeconds: number
  /** Added to the fee that a station asks for a message. */
  messageFeeHeadroomPercent: number
  /** The part of a deposit's shares that may be lost until it is mined. An organization can set its own. */
  depositSlippageBps: number
}

/** What all areas share for as long as the process lives. Each area adds its own, e.g. `TransitServices`. */
export type SharedServices = {
  sql: Sql
  /** For statements of unbounded variety: never prepared, and cut off by a statement timeout. */
  adHocSql: Sql
  addressBook: AddressBook
  chains: ChainClients
  highWater: HighWater
  knownAddresses: KnownAddresses
  tokens: TokenReader
  settings: Settings
  /** 32 bytes from which page tokens and key hashes get their own keys; equal on every replica. */
  appSecret: Uint8Array
}

/** What one request adds. */
export type RequestScope = {
  requestId: string
  caller: Caller | null
  /** Per chain id, the indexed block that the answer is read at. */
  freshness: Map<number, bigint>
  /** The chains that could not be asked: the answer lacks their part. */
  degraded: Set<number>
}

export type SharedContext = SharedServices & RequestScope
