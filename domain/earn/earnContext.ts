import type { RequestScope, SharedServices } from '../context.ts'
import type { PriceFeeds } from '../price/priceFeeds.ts'
import type { AttestationProvider } from './deposits/attestationProvider.ts'
import type { AccountantRate } from './vaults/accountantRateCache.ts'
import type { DeploymentCache } from './vaults/deploymentCache.ts'
import type { DeploymentState } from './vaults/deploymentStateCache.ts'
import type { VaultHoldings } from './vaults/vaultHoldingsCache.ts'
import type { QueueBlocks } from './withdrawals/queueBlocks.ts'
import type {
  WithdrawalRequestsById,
  WithdrawalRequestWatch,
} from './withdrawals/withdrawalRequestsById.ts'

export type EarnServices = SharedServices & {
  deploymentStateCache: DeploymentCache<DeploymentState>
  accountantRateCache: DeploymentCache<AccountantRate>
  priceFeeds: PriceFeeds
  vaultHoldingsCache: DeploymentCache<VaultHoldings>
  queueBlocks: QueueBlocks
  withdrawalRequestsById: WithdrawalRequestsById
  withdrawalRequestWatch: WithdrawalRequestWatch
  /** Null where none is configured: then vaults that ask for attestations take no deposits. */
  attestations: AttestationProvider | null
}

export type EarnContext = EarnServices & RequestScope
