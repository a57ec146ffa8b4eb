import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { LocalAccount } from 'viem'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import type { AppServices } from '../../domain/appContext.ts'
import type { BlockId } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { ChainLease } from './chainLeases.ts'
import type { WatchedAddresses } from './watchedAddresses.ts'

/** How many addresses the keeper asks for at once, and, in milliseconds, how patient it is. */
export type KeeperSettings = {
  /** Up to so many addresses logs are asked for by recipient; geth takes at most 1,000 in a topic. */
  fewAddresses: number
  /** After a deposit was retained until it is tried again; twice as long each time, up to 128 times. */
  retryMs: number
  /** What does not answer for so long is what a deposit is retained for. */
  patienceMs: number
  /** A transaction that is not mined for so long is replaced by one that pays more. */
  stuckMs: number
  /** Between two looks at the balances of all addresses. */
  sweepMs: number
}

export const KEEPER_SETTINGS: KeeperSettings = {
  fewAddresses: 500,
  retryMs: 30_000,
  patienceMs: 60_000,
  stuckMs: 60_000,
  sweepMs: 600_000,
}

export type KeeperService = Pick<
  AppServices,
  'addressBook' | 'attestations' | 'chains' | 'knownAddresses' | 'settings' | 'tokens'
>

/** Who keeps one chain, for as long as the lease of it is held. */
export type Keeper = {
  chain: AddressBookChain
  smartDeposit: NonNullable<AddressBookChain['smartDeposit']>
  service: KeeperService
  sql: Sql
  lease: ChainLease
  /** Signs what is sent; null where this worker has no key: then deposits are told and nothing is sent. */
  account: LocalAccount | null
  settings: KeeperSettings
  logger: Logger
  watched: WatchedAddresses
  /** What is remembered from one pass to the next. */
  memory: {
    /** The head when all that is known was last compared with the chain. */
    head: BlockId | null
    /** Whether that has to be done again, whatever block is there. */
    isToCompare: boolean
    sweep: { from: number; nextAt: number }
    hasWarnedOfGas: boolean
    /** Since when no node has told a head; Unix milliseconds. */
    downSince: number | null
  }
}
