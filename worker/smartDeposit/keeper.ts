import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { Address, Hex, LocalAccount } from 'viem'
import type { AddressBookChain, KeeperCeilings } from '../../domain/addressBook/addressBook.ts'
import type { AppServices } from '../../domain/appContext.ts'
import type { BlockId } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { PayerScreening } from '../../domain/smartDeposit/payerScreening.ts'
import type { ChainLease } from './chainLeases.ts'
import type { OrderQuotes } from './orderQuotes.ts'
import type { UnlistedCount } from './unlistedTokens.ts'
import type { WatchedAddresses } from './watchedAddresses.ts'

/** Limits and times of the keeper; times are milliseconds. */
export type KeeperSettings = {
  /** Up to so many addresses, logs are queried by recipient; geth allows 1,000 values in a topic. */
  fewAddresses: number
  /** Settlements of one transaction of a factory of generation B. */
  mostParts: number
  /** From retaining a deposit to its next try; doubles each time, up to 128 times as long. */
  retryMs: number
  /** A deposit is retained when a node or provider has not answered for so long. */
  patienceMs: number
  /** A transaction that is not mined after so long is replaced by one with higher fees. */
  stuckMs: number
  /** A nonce that is used, though no node shows a transaction of the keeper with it for so long, is somebody else's. */
  lostMs: number
  /** The longest time until the balances of all addresses were checked. */
  sweepMs: number
}

export const KEEPER_SETTINGS: KeeperSettings = {
  fewAddresses: 500,
  mostParts: 20,
  retryMs: 30_000,
  patienceMs: 60_000,
  stuckMs: 60_000,
  lostMs: 600_000,
  sweepMs: 600_000,
}

/** `fee`: the base fee is above its ceiling. `budget`: this hour's is used up. */
export type Hold = 'fee' | 'budget'

export type KeeperService = Pick<
  AppServices,
  | 'addressBook'
  | 'attestations'
  | 'chains'
  | 'knownAddresses'
  | 'priceFeeds'
  | 'readOrder'
  | 'settings'
  | 'tokens'
>

/** The keeper of one chain, for as long as it holds the chain's lease. */
export type Keeper = {
  chain: AddressBookChain
  smartDeposit: NonNullable<AddressBookChain['smartDeposit']>
  service: KeeperService
  /** Null without a provider: then no payer is screened. */
  payerScreening: PayerScreening | null
  orderQuotes: OrderQuotes
  sql: Sql
  lease: ChainLease
  /** Sign transactions, each for a part of the addresses (`isOfKey`). None if this worker has no key: it then reports deposits and sends nothing. */
  accounts: readonly LocalAccount[]
  settings: KeeperSettings
  ceilings: KeeperCeilings
  logger: Logger
  watched: WatchedAddresses
  /** State between two passes. */
  memory: {
    /** The head at the last comparison of all known deposits with the chain. */
    head: BlockId | null
    /** Whether the comparison must be repeated even if that head is still in the chain. */
    isToCompare: boolean
    /** `added`: new addresses, whose balances are looked at first. */
    sweep: { from: number; nextAt: number; added: Address[] }
    /** The search of the logs that is under way: for whose payments, and up to which block they are still to be read. */
    search: { addresses: Address[]; toBlock: number } | null
    /** The result of the last recorded pass: the steps that failed. */
    passed: { at: number; failing: string[] } | null
    /** Orders whose payments were looked for on this chain. */
    lookedFor: Set<Hex>
    unlisted: UnlistedCount
    /** The accounts that had too few coins at their last transaction. */
    withoutGas: Set<Address>
    /** Why nothing is sent now; null if it is. */
    hold: Hold | null
    /** Whether its accounts are in the database. */
    isRecorded: boolean
    /** Since when no node has answered with a head; Unix milliseconds. */
    downSince: number | null
  }
}
