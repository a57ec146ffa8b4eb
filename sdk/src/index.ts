export {
  getIndicativeTransitQuote,
  getTransitQuote,
  type IndicativeTransitQuote,
  type TransitQuote,
  type TransitQuoteParameters,
} from './actions/getTransitQuote.ts'
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
export { type TakeBackParameters, takeBack } from './flows/takeBack.ts'
export {
  type SentWithdrawal,
  type WithdrawFromVaultParameters,
  withdrawFromVault,
} from './flows/withdrawFromVault.ts'
// One function per operation, by its own name. The flow of the name `registerSmartDepositAddress` comes before its operation.
export * from './generated/actions.ts'
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
