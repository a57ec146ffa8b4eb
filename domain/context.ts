import type { Sql } from 'postgres'
import type { Caller } from './access/caller.ts'
import type { AddressBook } from './addressBook/addressBook.ts'
import type { ChainClients } from './chain/chainClients.ts'
import type { HighWater } from './chain/highWater.ts'
import type { KnownAddresses } from './chain/knownAddresses.ts'
import type { AttestationProvider } from './earn/attestationProvider.ts'
import type { DeploymentState } from './earn/deploymentStates.ts'
import type { SharedDeploymentReads } from './earn/sharedDeploymentReads.ts'
import type { VaultHoldings } from './earn/vaultHoldings.ts'
import type { WithdrawalReads, WithdrawalWatch } from './earn/withdrawalReads.ts'
import type { SmartDepositReads, SmartDepositWatch } from './smartDeposit/smartDepositReads.ts'
import type { TokenReader } from './token/tokenReader.ts'
import type { FillCosts } from './transit/fillCosts.ts'
import type { OrderLookup } from './transit/orderLookup.ts'
import type { OrderReads } from './transit/orderReads.ts'
import type { OrderWatch } from './transit/orderWatch.ts'
import type { QuoteSigner } from './transit/quoteSigner.ts'
import type { RouteLatencies } from './transit/routeLatencies.ts'
import type { StationStates } from './transit/stationStates.ts'

/** What an operator decides about prepared transactions. */
export type Settings = {
  quoteTtlSeconds: number
  permitTtlSeconds: number
  /** Added to the fee that a station asks for a message. */
  messageFeeHeadroomPercent: number
  /** What of a deposit's shares may be lost until it is mined, where no organization says otherwise. */
  depositSlippageBps: number
}

/** What the service has for as long as the process lives. */
export type ServiceContext = {
  sql: Sql
  /** For statements of unbounded variety: never prepared, and cut off by a statement timeout. */
  adHocSql: Sql
  addressBook: AddressBook
  chains: ChainClients
  highWater: HighWater
  knownAddresses: KnownAddresses
  tokens: TokenReader
  orderLookup: OrderLookup
  orderReads: OrderReads
  orderWatch: OrderWatch
  stations: StationStates
  fillCosts: FillCosts
  routeLatencies: RouteLatencies
  /** Null where this server has no key: then it quotes nothing. */
  quoteSigner: QuoteSigner | null
  deploymentStates: SharedDeploymentReads<DeploymentState>
  vaultHoldings: SharedDeploymentReads<VaultHoldings>
  withdrawalReads: WithdrawalReads
  withdrawalWatch: WithdrawalWatch
  smartDepositReads: SmartDepositReads
  smartDepositWatch: SmartDepositWatch
  /** Null where none is configured: then vaults that ask for attestations take no deposits. */
  attestations: AttestationProvider | null
  settings: Settings
  /** 32 bytes from which page tokens and key hashes get their own keys; equal on every replica. */
  appSecret: Uint8Array
}

/**
 * What one request adds. `freshness` collects, per chain id, the indexed block an answer stands on;
 * `degraded` the chains that could not be asked and whose part the answer lacks.
 */
export type RequestContext = ServiceContext & {
  requestId: string
  caller: Caller | null
  freshness: Map<number, bigint>
  degraded: Set<number>
}
