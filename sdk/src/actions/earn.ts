import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

export const listVaults = /* @__PURE__ */ list(api.listVaultsOperation, 'vaults')
export const listVaultAssets = /* @__PURE__ */ list(api.listVaultAssetsOperation, 'vaultAssets')
export const listSupplyCaps = /* @__PURE__ */ list(api.listSupplyCapsOperation, 'supplyCaps')
export const listVaultCompositions = /* @__PURE__ */ list(
  api.listVaultCompositionsOperation,
  'vaultCompositions',
)
export const listVaultApys = /* @__PURE__ */ list(api.listVaultApysOperation, 'vaultApys')
export const listVaultTvls = /* @__PURE__ */ list(api.listVaultTvlsOperation, 'vaultTvls')
export const listUserPositions = /* @__PURE__ */ list(
  api.listUserPositionsOperation,
  'userPositions',
)
export const listWithdrawalRequests = /* @__PURE__ */ list(
  api.listWithdrawalRequestsOperation,
  'withdrawalRequests',
)
export const listWithdrawalVolumes = /* @__PURE__ */ list(
  api.listWithdrawalVolumesOperation,
  'withdrawalVolumes',
)
export const listLiquidityShortfalls = /* @__PURE__ */ list(
  api.listLiquidityShortfallsOperation,
  'liquidityShortfalls',
)
/** The activity of a user or a vault, newest first. The filter needs a user or a vault. */
export const listActivity = /* @__PURE__ */ list(api.listActivityOperation, 'activity')
/** The slippage of every asset that can be withdrawn, in basis points by chain, vault and token. */
export const getWithdrawAssets = /* @__PURE__ */ action(api.getWithdrawAssetsOperation)
/** How a vault may take a token of this account. */
export const getDepositAuthorization = /* @__PURE__ */ action(api.getDepositAuthorizationOperation)
/** The transaction of a deposit, which the caller sends. `depositIntoVault` does all of it. */
export const prepareDeposit = /* @__PURE__ */ action(api.depositOperation)
/** The transaction of a withdrawal. `withdrawFromVault` does all of it. */
export const prepareWithdrawal = /* @__PURE__ */ action(api.withdrawOperation)
/** The transaction that cancels a withdrawal request. `cancelWithdrawal` does all of it. */
export const prepareCancellation = /* @__PURE__ */ action(api.cancelWithdrawalOperation)
export const calculateWithdrawalFee = /* @__PURE__ */ action(api.calculateWithdrawalFeeOperation)
/** A withdrawal request by its id. */
export const getWithdrawalRequest = /* @__PURE__ */ action(api.getWithdrawalRequestOperation, {
  key: 'withdrawalRequest',
})
