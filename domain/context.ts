import type { Sql } from 'postgres'
import type { Caller } from './access/caller.ts'
import type { AddressBook } from './addressBook/addressBook.ts'
import type { ChainClients } from './chain/chainClients.ts'
import type { HighWater } from './chain/highWater.ts'
import type { KnownAddresses } from './chain/knownAddresses.ts'
import type { AttestationProvider } from './earn/deposits/attestationProvider.ts'
import type { AccountantRate } from './earn/vaults/accountantRates.ts'
import type { DeploymentState } from './earn/vaults/deploymentStates.ts'
import type { SharedDeploymentReads } from './earn/vaults/sharedDeploymentReads.ts'
import type { VaultHoldings } from './earn/vaults/vaultHoldings.ts'
import type { WithdrawalReads, WithdrawalWatch } from './earn/withdrawals/withdrawalReads.ts'
import type { SmartDepositReads, SmartDepositWatch } from './smartDeposit/smartDepositReads.ts'
import type { TokenReader } from './token/tokenReader.ts'
import type { OrderLookup } from './transit/orders/orderLookup.ts'
import type { OrderReads } from './transit/orders/orderReads.ts'
import type { OrderWatch } from './transit/orders/orderWatch.ts'
import type { ExecutionCosts } from './transit/quotes/executionCosts.ts'
import type { QuoteSigner } from './transit/quotes/quoteSigner.ts'
import type { StationStates } from './transit/quotes/stationStates.ts'
import type { RouteLatencies } from './transit/routes/routeLatencies.ts'
import type { TargetRules } from './webhook/webhookTarget.ts'

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
  executionCosts: ExecutionCosts
  routeLatencies: RouteLatencies
  /** Null where this server has no key: then it quotes nothing. */
  quoteSigner: QuoteSigner | null
  deploymentStates: SharedDeploymentReads<DeploymentState>
  accountantRates: SharedDeploymentReads<AccountantRate>
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
  /** 32 bytes under which what signs webhooks is stored. */
  secretsKey: Uint8Array
  webhookTargets: TargetRules
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
