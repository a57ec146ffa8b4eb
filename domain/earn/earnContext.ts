import type { RequestScope, SharedServices } from '../context.ts'
import type { AttestationProvider } from './deposits/attestationProvider.ts'
import type { AccountantRate } from './vaults/accountantRates.ts'
import type { DeploymentState } from './vaults/deploymentStates.ts'
import type { SharedDeploymentReads } from './vaults/sharedDeploymentReads.ts'
import type { VaultHoldings } from './vaults/vaultHoldings.ts'
import type { WithdrawalReads, WithdrawalWatch } from './withdrawals/withdrawalReads.ts'

export type EarnServices = SharedServices & {
  deploymentStates: SharedDeploymentReads<DeploymentState>
  accountantRates: SharedDeploymentReads<AccountantRate>
  vaultHoldings: SharedDeploymentReads<VaultHoldings>
  withdrawalReads: WithdrawalReads
  withdrawalWatch: WithdrawalWatch
  /** Null where none is configured: then vaults that ask for attestations take no deposits. */
  attestations: AttestationProvider | null
}

export type EarnContext = EarnServices & RequestScope
