export {
  createApiKey,
  listApiKeys,
  listApiUsage,
  listRequestLog,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from './actions/access.ts'
export {
  createOrganization,
  getRehearsal,
  listCompleteAuditLog,
  listIndexBuilds,
  listKeepers,
  listOperators,
  listOrganizationMembers,
  listOrganizations,
  listTransitStops,
  openTransitRoute,
  stopTransitRoute,
  updateOrganization,
} from './actions/admin.ts'
export {
  getHealth,
  getReady,
  listCapabilities,
  listChains,
  listTokens,
  runGraphql,
} from './actions/core.ts'
export {
  calculateWithdrawalFee,
  getDepositAuthorization,
  getWithdrawAssets,
  getWithdrawalRequest,
  listActivity,
  listLiquidityShortfalls,
  listSupplyCaps,
  listUserPositions,
  listVaultApys,
  listVaultAssets,
  listVaultCompositions,
  listVaults,
  listVaultTvls,
  listWithdrawalRequests,
  listWithdrawalVolumes,
  prepareCancellation,
  prepareDeposit,
  prepareWithdrawal,
} from './actions/earn.ts'
export { listEvents } from './actions/events.ts'
export {
  getIndicativeTransitQuote,
  getTransitQuote,
  type IndicativeTransitQuote,
  type TransitQuote,
  type TransitQuoteParameters,
} from './actions/getTransitQuote.ts'
export { getJourney, listJourneys } from './actions/journeys.ts'
export {
  changeMemberRole,
  inviteMember,
  listAuditLog,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
} from './actions/members.ts'
export {
  getSmartDeposit,
  listSmartDepositAddresses,
  listSmartDeposits,
} from './actions/smartDeposits.ts'
export {
  getTransitAuthorization,
  getTransitOrder,
  getTransitSubmission,
  listTransitOrders,
  listTransitRouteApprovals,
  listTransitRoutes,
  listTransitStats,
} from './actions/transit.ts'
export {
  cancelWebhookReplay,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  getWebhookFigures,
  getWebhookReplay,
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhookEndpoints,
  pingWebhookEndpoint,
  redeliverWebhook,
  rotateWebhookSecret,
  startWebhookReplay,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from './actions/webhooks.ts'
export {
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  createConnection,
  type ReceivedAnswer,
  type RetryOptions,
  type SentRequest,
} from './connection/connection.ts'
export type { List } from './connection/list.ts'
export type { Answer, OperationId, Parameters } from './connection/operation.ts'
export { type Filter, writeFilter } from './connection/writeFilter.ts'
export { type CausewayClient, createCausewayClient } from './createCausewayClient.ts'
export { CausewayError, type ErrorDetails } from './error/causewayError.ts'
export { readErrorAnswer } from './error/readErrorAnswer.ts'
export type { Reason, ReasonMetadata } from './error/reasons.ts'
export { type CancelWithdrawalParameters, cancelWithdrawal } from './flows/cancelWithdrawal.ts'
export { type DepositFromParameters, depositFrom, type SentJourney } from './flows/depositFrom.ts'
export {
  type DepositIntoVaultParameters,
  depositIntoVault,
  type SentDeposit,
} from './flows/depositIntoVault.ts'
export { registerSmartDepositAddress } from './flows/registerDepositAddress.ts'
export {
  type SendTransitOrderParameters,
  type SentTransitOrder,
  sendTransitOrder,
} from './flows/sendTransitOrder.ts'
export {
  type SentWithdrawal,
  type WithdrawFromVaultParameters,
  withdrawFromVault,
} from './flows/withdrawFromVault.ts'
export type { components, FilterKeys, operations } from './generated/api.ts'
export { ShieldError, type ShieldReason } from './shield/shieldError.ts'
export type { TransitStep } from './watch/transitSteps.ts'
export { type WaitForWithdrawalOptions, waitForWithdrawal } from './watch/waitForWithdrawal.ts'
export {
  type WaitForJourneyOptions,
  waitForJourney,
  watchJourney,
} from './watch/watchJourney.ts'
export {
  type WaitForSmartDepositOptions,
  waitForSmartDeposit,
  watchSmartDeposit,
} from './watch/watchSmartDeposit.ts'
export type { Transport, WatchOptions } from './watch/watchStates.ts'
export {
  followTransitOrder,
  type WaitForTransitOrderOptions,
  waitForTransitOrder,
  watchTransitOrder,
} from './watch/watchTransitOrder.ts'
